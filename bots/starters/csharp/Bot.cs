// A bot for molerun: dotnet run [PORT]
// Put your strategy into Choose; the rest can stay as it is.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Map = System.Collections.Generic.Dictionary<string, object>;

public static class Bot
{
    const string Name = "c# starter";
    static readonly object[] Games = { "cia", "demol", "mole", "molehill", "molemajority" };
    const int FiveMinutes = 300; // in seconds
    const string Secret = "^whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";

    /// <summary>
    /// Answers a turn: turn["view"] is all you see, turn["offer"] all you may do. The answer is {"choose": k}, the action at place k of the
    /// offer's list, or {"action": {…}}, made from one of the offer's forms.
    /// </summary>
    public static Map Choose(Map turn, Random random)
    {
        var offer = (Map)turn["offer"];
        List<object> list = ListOf(offer, "list");
        if (list.Count > 0)
        {
            return new Map { ["choose"] = random.Next(list.Count) };
        }
        var form = (Map)One(ListOf(offer, "forms"), random);
        var action = new Map { ["type"] = form["type"] };
        foreach (Map field in ListOf(form, "fields"))
        {
            action[(string)field["name"]] = Pick(field, random);
        }
        return new Map { ["action"] = action };
    }

    /// <summary>Picks any value that the field of a form allows.</summary>
    static object Pick(Map field, Random random)
    {
        List<object> oneOf = ListOf(field, "one_of");
        if (oneOf.Count > 0)
        {
            return One(oneOf, random);
        }
        if (field.ContainsKey("of"))
        {
            return ListOf(field, "of").OrderBy(_ => random.Next()).Take(Number(field, "choose")).ToList();
        }
        return random.Next(Number(field, "min"), Number(field, "max") + 1);
    }

    /// <summary>Answers any message of the platform; unknown ones with {}.</summary>
    public static Map Answer(Map message)
    {
        message.TryGetValue("type", out object type);
        switch (type as string)
        {
            case "hello":
                return new Map { ["challenge"] = message["challenge"], ["name"] = Name, ["games"] = Games.ToList() };
            case "turn":
                var decision = (string)message["decision"];
                Map answer = Choose(message, new Random(Seed(decision)));
                answer["decision"] = decision;
                return answer;
            default:
                return new Map();
        }
    }

    /// <summary>Returns a number that follows from the decision: asked again, the bot gives the same answer, even in another process.</summary>
    static int Seed(string decision)
    {
        return decision.Aggregate(0, (seed, letter) => unchecked(31 * seed + letter));
    }

    static object One(List<object> all, Random random)
    {
        return all[random.Next(all.Count)];
    }

    /// <summary>Returns the list under a key, or an empty one.</summary>
    static List<object> ListOf(Map map, string key)
    {
        return map.TryGetValue(key, out object list) ? (List<object>)list : new List<object>();
    }

    static int Number(Map map, string key)
    {
        return (int)(long)map[key];
    }

    /// <summary>Reports whether the platform sent this: https://www.standardwebhooks.com</summary>
    public static bool Genuine(string secret, Request request, DateTimeOffset now)
    {
        string stamp = request.Header("webhook-timestamp");
        if (!Regex.IsMatch(stamp, "^[0-9]{1,15}$") || Math.Abs(now.ToUnixTimeSeconds() - long.Parse(stamp)) > FiveMinutes)
        {
            return false;
        }
        byte[] head = Encoding.UTF8.GetBytes(request.Header("webhook-id") + "." + stamp + ".");
        string good;
        using (var hmac = new HMACSHA256(Convert.FromBase64String(secret.Substring("whsec_".Length))))
        {
            good = "v1," + Convert.ToBase64String(hmac.ComputeHash(head.Concat(request.Body).ToArray()));
        }
        return request.Header("webhook-signature").Split(' ').Any(one => Same(one, good));
    }

    /// <summary>Compares in a time that does not depend on where two signatures differ.</summary>
    static bool Same(string a, string b)
    {
        return a.Length == b.Length && a.Zip(b, (x, y) => x ^ y).Aggregate(0, (differ, bits) => differ | bits) == 0;
    }

    /// <summary>Returns MOLERUN_SECRET without quotes, spaces and marks that shells and editors leave around it.</summary>
    static string KnownSecret()
    {
        return Regex.Replace(Environment.GetEnvironmentVariable("MOLERUN_SECRET") ?? "", "^\\W+|[^\\w+/=]+$", "");
    }

    static Reply Handle(Request request)
    {
        if (request.Method != "POST") // a person, or a host's health check
        {
            return new Reply(200, "text/plain", Name + " is a bot of molerun and runs.\n");
        }
        string secret = KnownSecret();
        if (secret != "" && !Genuine(secret, request, DateTimeOffset.UtcNow))
        {
            return new Reply(401, "application/json", "{}"); // refuse what the platform did not send
        }
        try
        {
            return new Reply(200, "application/json", Json.Write(Answer((Map)Json.Read(Encoding.UTF8.GetString(request.Body)))));
        }
        catch (FormatException)
        {
            return new Reply(400, "application/json", "{}");
        }
        catch (Exception slip) // in Choose: the platform plays for you this once
        {
            Console.Error.WriteLine(slip);
            return new Reply(500, "application/json", "{}");
        }
    }

    /// <summary>Listens on the port of the command line, of PORT, or 8000.</summary>
    public static int Main(string[] args)
    {
        string secret = KnownSecret();
        if (secret == "")
        {
            Console.Error.WriteLine("MOLERUN_SECRET is not set: messages are accepted from anybody");
        }
        else if (!Regex.IsMatch(secret, Secret))
        {
            Console.Error.WriteLine("MOLERUN_SECRET is no secret: want it whole, whsec_ and base64, as you got it when you registered the bot");
            return 1;
        }
        string host = Environment.GetEnvironmentVariable("HOST") ?? "127.0.0.1";
        string port = args.FirstOrDefault() ?? Environment.GetEnvironmentVariable("PORT") ?? "8000";
        Server.Run(host, int.Parse(port), Handle);
        return 0;
    }
}
