// Tests of the bot: dotnet run --property:StartupObject=BotTest

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Map = System.Collections.Generic.Dictionary<string, object>;

public static class BotTest
{
    const string Secret = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
    const string Body = "{\"protocol\":1,\"type\":\"turn\"}";
    const string Id = "dec_e10b910330c5436d01d1b6442362fa73";
    const string Signature = "v1,QZH6KClkyKzYz4QF+zxu5zw0I2UFRu/RuF68MAfd528=";

    static void Want(bool good, string what, object got)
    {
        if (!good)
        {
            throw new Exception(what + ": got " + got);
        }
    }

    static Map Read(string text)
    {
        return (Map)Json.Read(text);
    }

    static void ListsAreAnsweredWithAnIndex()
    {
        Map turn = Read("{\"offer\":{\"list\":[{\"type\":\"pass\"},{\"type\":\"move\",\"to\":\"d3\"}]}}");
        for (int k = 0; k < 100; k++)
        {
            object index = Bot.Choose(turn, new Random(k))["choose"];
            Want(index.Equals(0) || index.Equals(1), "0 or 1", index);
        }
    }

    static void FormsAreAnsweredWithAnAction()
    {
        Map turn = Read("{\"offer\":{\"forms\":[{\"type\":\"go\",\"fields\":[{\"name\":\"who\",\"one_of\":[\"ada\",\"bob\"]},"
            + "{\"name\":\"team\",\"choose\":2,\"of\":[0,1,2,3]},{\"name\":\"speed\",\"min\":1,\"max\":9,\"unit\":\"mm/s\"}]}],\"examples\":[]}}");
        for (int k = 0; k < 100; k++)
        {
            var action = (Map)Bot.Choose(turn, new Random(k))["action"];
            string text = Json.Write(action);
            Want(action.Count == 4 && action["type"].Equals("go"), "type go and three fields", text);
            Want(new object[] { "ada", "bob" }.Contains(action["who"]), "ada or bob", text);
            var team = (List<object>)action["team"];
            Want(team.Distinct().Count() == 2 && team.All(seat => (long)seat >= 0 && (long)seat <= 3), "two different ones", text);
            Want((int)action["speed"] >= 1 && (int)action["speed"] <= 9, "1 to 9", text);
        }
    }

    static void TheSameQuestionGetsTheSameAnswer()
    {
        const string turn = "{\"type\":\"turn\",\"decision\":\"dec_1\",\"offer\":{\"list\":[1,2,3,4,5,6,7,8,9]}}";
        Map one = Bot.Answer(Read(turn));
        Want(one["decision"].Equals("dec_1") && one["choose"].Equals(Bot.Answer(Read(turn))["choose"]), "the same, for dec_1", Json.Write(one));
    }

    static void HelloEchoesTheChallenge()
    {
        Want("abc".Equals(Bot.Answer(Read("{\"type\":\"hello\",\"challenge\":\"abc\"}"))["challenge"]), "abc", null);
        Want(Bot.Answer(Read("{\"type\":\"weather\"}")).Count == 0, "{} to an unknown message", null);
        Want(Bot.Answer(Read("{}")).Count == 0, "{} to a message without a type", null);
    }

    static void OnlyGenuineMessagesAreTaken()
    {
        Want(Genuine(Id, Signature, Body, 1790000100), "good", false);
        Want(Genuine(Id, "v1,AAAA " + Signature, Body, 1790000100), "two signatures", false);
        Want(!Genuine(Id, Signature, Body + " ", 1790000100), "another body", true);
        Want(!Genuine("dec_1", Signature, Body, 1790000100), "another id", true);
        Want(!Genuine(Id, Signature, Body, 1790000301), "too old", true);
        Want(!Bot.Genuine(Secret, new Request("POST", new Dictionary<string, string>(), new byte[0]), DateTimeOffset.UtcNow), "no headers", true);
    }

    static bool Genuine(string id, string signature, string body, long at)
    {
        var headers = new Dictionary<string, string> { ["webhook-id"] = id, ["webhook-timestamp"] = "1790000000", ["webhook-signature"] = signature };
        return Bot.Genuine(Secret, new Request("POST", headers, Encoding.UTF8.GetBytes(body)), DateTimeOffset.FromUnixTimeSeconds(at));
    }

    static void JsonIsReadAndWritten()
    {
        const string text = "{\"a\":[1,-2,0.5,true,false,null,{},[]],\"b\":\"é\\u0022\\u005c\\u000a\"}";
        Want(Json.Write(Read(" " + text.Replace(",", " , ") + "\n")) == text, text, Json.Write(Read(text)));
        Want(Read("{\"b\":\"\\ud83d\\ude00\\n\\/\"}")["b"].Equals("\ud83d\ude00\n/"), "escapes", null);
        string[] broken = { "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "\"a", "\"\\x\"", "\"\\u12\"", "nul", "1 2", new string('[', 1000) };
        foreach (string one in broken)
        {
            Want(Throws<FormatException>(() => Json.Read(one)), one + " refused", "a value");
        }
        var loop = new Map();
        loop["itself"] = loop;
        Want(Throws<InvalidOperationException>(() => Json.Write(loop)), "what holds itself refused", "a text");
    }

    static bool Throws<E>(Action what) where E : Exception
    {
        try
        {
            what();
            return false;
        }
        catch (E)
        {
            return true;
        }
    }

    public static void Main()
    {
        ListsAreAnsweredWithAnIndex();
        FormsAreAnsweredWithAnAction();
        TheSameQuestionGetsTheSameAnswer();
        HelloEchoesTheChallenge();
        OnlyGenuineMessagesAreTaken();
        JsonIsReadAndWritten();
        Console.WriteLine("all tests pass");
    }
}
