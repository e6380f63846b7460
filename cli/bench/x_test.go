package bench
import ("testing";"time";"context";"os")
func TestX(t *testing.T){ r,err:=commits(context.Background(), Options{Span: time.Second, Postgres: os.Getenv("MOLERUN_TEST_POSTGRES"), Dir: t.TempDir(), Now: time.Now}); if err!=nil{t.Fatal(err)}; Print(os.Stdout, r) }
