// Reads and writes JSON: objects are dictionaries, arrays lists, numbers long or double.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

public sealed class Json
{
    const int Deepest = 100;

    readonly string text;
    int at;

    Json(string text)
    {
        this.text = text;
    }

    /// <summary>Reads a text, which is one value; FormatException if it is not JSON.</summary>
    public static object Read(string text)
    {
        var json = new Json(text);
        object value = json.Value(0);
        if (json.Peek() != 0)
        {
            throw json.Broken("more after the value");
        }
        return value;
    }

    FormatException Broken(string why)
    {
        return new FormatException(why + " at " + at);
    }

    object Value(int depth)
    {
        if (depth > Deepest)
        {
            throw Broken("too deep");
        }
        switch (Peek())
        {
            case '{':
                var map = new Dictionary<string, object>();
                for (bool more = Open('}'); more; more = Next('}'))
                {
                    string key = String();
                    Take(':');
                    map[key] = Value(depth + 1);
                }
                return map;
            case '[':
                var list = new List<object>();
                for (bool more = Open(']'); more; more = Next(']'))
                {
                    list.Add(Value(depth + 1));
                }
                return list;
            case '"':
                return String();
            default:
                return Word();
        }
    }

    char Peek()
    {
        while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0)
        {
            at++;
        }
        return at < text.Length ? text[at] : (char)0;
    }

    bool Skips(char c)
    {
        bool there = Peek() == c;
        at += there ? 1 : 0;
        return there;
    }

    void Take(char c)
    {
        if (!Skips(c))
        {
            throw Broken("no " + c);
        }
    }

    bool Open(char end)
    {
        at++;
        return !Skips(end);
    }

    bool Next(char end)
    {
        if (Skips(end))
        {
            return false;
        }
        Take(',');
        return true;
    }

    string String()
    {
        Take('"');
        var value = new StringBuilder();
        while (at < text.Length)
        {
            char c = text[at++];
            if (c == '"')
            {
                return value.ToString();
            }
            value.Append(c == '\\' ? Escaped() : c);
        }
        throw Broken("a string without an end");
    }

    char Escaped()
    {
        int kind = at < text.Length ? "\"\\/bfnrtu".IndexOf(text[at++]) : -1;
        if (kind >= 0 && kind < 8)
        {
            return "\"\\/\b\f\n\r\t"[kind];
        }
        if (kind == 8 && at + 4 <= text.Length
            && ushort.TryParse(text.Substring(at, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code))
        {
            at += 4;
            return (char)code;
        }
        throw Broken("no such escape");
    }

    object Word()
    {
        int from = at;
        while (at < text.Length && ",]} \t\r\n".IndexOf(text[at]) < 0)
        {
            at++;
        }
        string word = text.Substring(from, at - from);
        switch (word)
        {
            case "null":
                return null;
            case "true":
                return true;
            case "false":
                return false;
        }
        if (Regex.IsMatch(word, "^-?[0-9]{1,18}$"))
        {
            return long.Parse(word, CultureInfo.InvariantCulture);
        }
        if (double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out double number))
        {
            return number;
        }
        throw Broken("no value");
    }

    /// <summary>Writes a value as JSON.</summary>
    public static string Write(object value)
    {
        var text = new StringBuilder();
        Write(value, text, 0);
        return text.ToString();
    }

    static void Write(object value, StringBuilder text, int depth)
    {
        if (depth > Deepest)
        {
            throw new InvalidOperationException("an answer holds itself, or is too deep");
        }
        if (value == null || value is bool)
        {
            text.Append(value == null ? "null" : (bool)value ? "true" : "false");
        }
        else if (value is string s)
        {
            Quote(s, text);
        }
        else if (value is IDictionary map)
        {
            text.Append('{');
            foreach (DictionaryEntry entry in map)
            {
                Separate('{', text);
                Quote((string)entry.Key, text);
                text.Append(':');
                Write(entry.Value, text, depth + 1);
            }
            text.Append('}');
        }
        else if (value is IEnumerable list)
        {
            text.Append('[');
            foreach (object one in list)
            {
                Separate('[', text);
                Write(one, text, depth + 1);
            }
            text.Append(']');
        }
        else if (value is double number)
        {
            text.Append(number.ToString("R", CultureInfo.InvariantCulture));
        }
        else if (value is int || value is long)
        {
            text.Append(value);
        }
        else
        {
            throw new InvalidOperationException("JSON has nothing for " + value.GetType());
        }
    }

    /// <summary>Puts a comma behind all but the bracket that opens.</summary>
    static void Separate(char open, StringBuilder text)
    {
        if (text[text.Length - 1] != open)
        {
            text.Append(',');
        }
    }

    static void Quote(string s, StringBuilder text)
    {
        text.Append('"');
        foreach (char c in s)
        {
            text.Append(c < ' ' || c == '"' || c == '\\' ? "\\u" + ((int)c).ToString("x4") : c.ToString());
        }
        text.Append('"');
    }
}
