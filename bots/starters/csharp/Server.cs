// A small HTTP/1.1 server: a thread for each connection, which is kept.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;

public sealed class Request
{
    public readonly string Method;
    public readonly byte[] Body;
    readonly Dictionary<string, string> headers;

    public Request(string method, Dictionary<string, string> headers, byte[] body)
    {
        Method = method;
        Body = body;
        this.headers = headers;
    }

    /// <summary>Returns the value of a header, whose name is in small letters; "" if it was not sent.</summary>
    public string Header(string name)
    {
        return Server.Find(headers, name);
    }
}

public sealed class Reply
{
    readonly int status;
    readonly string kind, body;

    public Reply(int status, string kind, string body)
    {
        this.status = status;
        this.kind = kind;
        this.body = body;
    }

    /// <summary>Returns head and body, to be sent at once, so that no answer waits 40 ms.</summary>
    public byte[] Bytes(bool bodyless, bool kept)
    {
        byte[] content = Encoding.UTF8.GetBytes(body);
        string head = $"HTTP/1.1 {status} {(status == 200 ? "OK" : "Refused")}\r\nContent-Type: {kind}\r\nContent-Length: {content.Length}\r\n"
            + (kept ? "\r\n" : "Connection: close\r\n\r\n");
        return Encoding.UTF8.GetBytes(bodyless ? head : head + body);
    }
}

public static class Server
{
    const int MaxBytes = 4 << 20; // of a message
    const int MaxLine = 64 << 10;
    const int MaxHeaders = 100;
    const int ThreeMinutes = 180 * 1000; // in milliseconds

    /// <summary>Listens at an address, prints the URL, and answers every request with handle.</summary>
    public static void Run(string host, int port, Func<Request, Reply> handle)
    {
        var listener = new TcpListener(IPAddress.Parse(host), port);
        listener.Start();
        Console.WriteLine("http://127.0.0.1:" + ((IPEndPoint)listener.LocalEndpoint).Port);
        for (;;)
        {
            try
            {
                TcpClient client = listener.AcceptTcpClient();
                new Thread(() => Serve(client, handle)) { IsBackground = true }.Start();
            }
            catch (SocketException e) // too many are open, perhaps
            {
                Console.Error.WriteLine(e.Message);
                Thread.Sleep(100);
            }
        }
    }

    static void Serve(TcpClient client, Func<Request, Reply> handle)
    {
        using (client)
        {
            try
            {
                client.NoDelay = true;
                client.ReceiveTimeout = ThreeMinutes; // the platform ends connections, not we
                NetworkStream stream = client.GetStream();
                Answer(new BufferedStream(stream, MaxLine), stream, handle);
            }
            catch (Exception e) when (e is IOException || e is SocketException)
            {
                // the other side has gone
            }
        }
    }

    static void Answer(Stream input, Stream output, Func<Request, Reply> handle)
    {
        try
        {
            for (bool kept = true; kept;)
            {
                string[] first = Line(input).Split(' ');
                if (first.Length != 3 || !first[2].StartsWith("HTTP/1.", StringComparison.Ordinal))
                {
                    throw new FormatException("this is not HTTP/1.1");
                }
                Dictionary<string, string> headers = Headers(input);
                kept = first[2] != "HTTP/1.0" && !Is(Find(headers, "connection"), "close");
                if (Is(Find(headers, "expect"), "100-continue"))
                {
                    Send(output, Encoding.UTF8.GetBytes("HTTP/1.1 100 Continue\r\n\r\n"));
                }
                Reply reply = handle(new Request(first[0], headers, Body(input, headers)));
                Send(output, reply.Bytes(first[0] == "HEAD", kept));
            }
        }
        catch (FormatException broken) // where the next request begins is unknown
        {
            Send(output, new Reply(400, "text/plain", broken.Message + "\n").Bytes(false, false));
        }
    }

    static void Send(Stream output, byte[] bytes)
    {
        output.Write(bytes, 0, bytes.Length);
    }

    public static string Find(Dictionary<string, string> headers, string name)
    {
        return headers.TryGetValue(name, out string value) ? value : "";
    }

    static bool Is(string a, string b)
    {
        return string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Reads a line without its end.</summary>
    static string Line(Stream input)
    {
        var line = new StringBuilder();
        for (int b = input.ReadByte(); b != '\n'; b = input.ReadByte())
        {
            if (b < 0)
            {
                throw new IOException("the connection has ended");
            }
            if (line.Length == MaxLine)
            {
                throw new FormatException("a line has no end");
            }
            line.Append((char)b);
        }
        return line.ToString().TrimEnd('\r');
    }

    /// <summary>Reads headers up to the empty line; their names are in small letters.</summary>
    static Dictionary<string, string> Headers(Stream input)
    {
        var headers = new Dictionary<string, string>();
        for (int n = 0; n < MaxHeaders; n++)
        {
            string line = Line(input);
            if (line == "")
            {
                return headers;
            }
            int colon = line.IndexOf(':');
            if (colon < 0)
            {
                throw new FormatException("a header has no colon");
            }
            headers[line.Substring(0, colon).ToLowerInvariant()] = line.Substring(colon + 1).Trim();
        }
        throw new FormatException("there are too many headers");
    }

    /// <summary>Reads a body, whole or in chunks, as some proxies send it.</summary>
    static byte[] Body(Stream input, Dictionary<string, string> headers)
    {
        var body = new MemoryStream();
        if (Find(headers, "transfer-encoding") == "")
        {
            Take(input, Size(headers.ContainsKey("content-length") ? headers["content-length"] : "0", NumberStyles.None), body);
            return body.ToArray();
        }
        for (;;)
        {
            int size = Size(Line(input).Split(';')[0].Trim(), NumberStyles.AllowHexSpecifier);
            if (size == 0)
            {
                Headers(input); // behind the body they say nothing to us
                return body.ToArray();
            }
            Take(input, size, body);
            Line(input);
        }
    }

    static int Size(string digits, NumberStyles style)
    {
        if (!int.TryParse(digits, style, CultureInfo.InvariantCulture, out int size) || size < 0)
        {
            throw new FormatException("the size of the message is no number, or too large");
        }
        return size;
    }

    /// <summary>Adds exactly so many bytes to a body.</summary>
    static void Take(Stream input, int size, MemoryStream body)
    {
        if (size > MaxBytes - body.Length)
        {
            throw new FormatException("the message is too large");
        }
        var bytes = new byte[size];
        for (int done = 0, n; done < size; done += n)
        {
            n = input.Read(bytes, done, size - done);
            if (n == 0)
            {
                throw new IOException("the connection has ended");
            }
        }
        body.Write(bytes, 0, size);
    }
}
