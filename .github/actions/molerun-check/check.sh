# What action.yml runs, in the repository of a bot: check, play and sprt, told on stdout and in the summary of the job.
# Fails if the bot makes a fault, or is weaker than its base.
set -euo pipefail
set -m # each bot is a group of processes of its own, so that it ends with its children

work=$(mktemp -d)
bots=()
finish() {
  for pid in "${bots[@]}"; do kill -- "-$pid" 2>/dev/null || true; done
  git worktree remove --force "$work/base" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

# Two bots of this machine are asked at fixed ports; a secret of this run shows whether they look at signatures.
MOLERUN_SECRET="whsec_$(head -c 32 /dev/urandom | base64)"
export MOLERUN_SECRET
new=http://127.0.0.1:${NEW_PORT:=8000}
old=http://127.0.0.1:${OLD_PORT:=8001}

# start NAME FOLDER PORT: run a bot and wait until it listens
start() {
  (cd "$2" && PORT=$3 exec bash -c "$RUN") >"$work/$1.log" 2>&1 &
  bots+=($!)
  for _ in $(seq 600); do
    if (: >"/dev/tcp/127.0.0.1/$3") 2>/dev/null; then return 0; fi
    if ! kill -0 "${bots[-1]}" 2>/dev/null; then break; fi
    sleep 0.1
  done
  echo "::error::the $1 bot does not listen on port $3; this is what it said:"
  cat "$work/$1.log"
  return 1
}

# part TITLE COMMAND...: run it, show what it says, and keep that for the summary; its exit code
part() {
  local title=$1 code=0
  shift
  echo "::group::$title"
  "$@" 2>&1 | tee "$work/said" || code=$?
  echo "::endgroup::"
  { echo "### $title"; echo '```text'; cat "$work/said"; echo '```'; } >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  return "$code"
}

failed=0
start new "$FOLDER" "$NEW_PORT"
part "check" molerun check "$new" --games "${GAMES// /,}" || failed=1
for game in $GAMES; do
  part "$game against $OPPONENT" molerun play "$game" "$new" "$OPPONENT" --games "$MATCHES" || failed=1
done

# The newest tag before this commit: a release is compared with the one before it, not with itself.
BASE=${BASE:-$(git for-each-ref --merged HEAD --no-contains HEAD --sort=-creatordate --count=1 --format='%(refname:short)' refs/tags || true)}
if [ -z "$BASE" ]; then
  echo "::notice::there is no tag to compare with"
  exit "$failed"
fi
git worktree add --quiet --detach "$work/base" "$BASE"
start old "$work/base/$FOLDER" "$OLD_PORT"
for game in $GAMES; do
  code=0
  part "$game against $BASE" molerun sprt "$game" "$new" "$old" "--elo0=$ELO0" "--elo1=$ELO1" --max "$MAX" || code=$?
  case $code in
    0) echo "::notice::$game: not weaker than $BASE" ;;
    3) echo "::error::$game: weaker than $BASE"; failed=1 ;;
    4) echo "::notice::$game: not known after $MAX matches whether it is weaker than $BASE" ;;
    *) failed=1 ;;
  esac
done
exit "$failed"
