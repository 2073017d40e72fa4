#!/usr/bin/env bash
# Keeps results on a branch and makes the history of them (docs/history.md). Run it in a clone, with the folders of runs:
#
#   publish-history.sh carrierspec-report
#
# The branch has results/ and, below docs/, the page. It is one commit that is replaced each time, so that it does not grow by
# what was removed. Two jobs at a time lose nothing: who comes second begins again with what the first has pushed.
set -euo pipefail

branch=${HISTORY_BRANCH:-carrierspec-history}
remote=${HISTORY_REMOTE:-origin}
# Runs that are kept of all carriers together.
keep=${HISTORY_KEEP:-200}
# A folder that gets a copy of the page, such as public for GitLab Pages.
site=${HISTORY_SITE:-}
read -r -a carrierspec <<<"${CARRIERSPEC:-npx --no -- carrierspec}"
read -r -a flags <<<"${HISTORY_FLAGS:-}"

if (($# == 0)); then
  echo "usage: publish-history.sh FOLDER..., each with the result.json or journal.jsonl of a run" >&2
  exit 2
fi
if ! [[ $keep =~ ^[1-9][0-9]*$ ]]; then
  echo "HISTORY_KEEP: \"$keep\" is no number of runs" >&2
  exit 2
fi

name=${HISTORY_NAME:-$(date -u +%Y%m%dT%H%M%SZ)-${CI_JOB_ID:-${GITHUB_RUN_ID:-$$}}}
name=${name//[^A-Za-z0-9._-]/-}
export GIT_AUTHOR_NAME=${GIT_AUTHOR_NAME:-carrierspec} GIT_AUTHOR_EMAIL=${GIT_AUTHOR_EMAIL:-carrierspec@noreply.example}
export GIT_COMMITTER_NAME=${GIT_COMMITTER_NAME:-$GIT_AUTHOR_NAME} GIT_COMMITTER_EMAIL=${GIT_COMMITTER_EMAIL:-$GIT_AUTHOR_EMAIL}

# How an attempt ends that another job was faster than.
not_pushed=75
work=$(mktemp -d)
tree=$work/tree
trap 'rm -rf "$work"' EXIT

# The result of each folder, or the journal of a run that was cut off, in a folder of its own.
take() {
  local number=0 folder
  for folder in "$@"; do
    number=$((number + 1))
    local to=$tree/results/$name-$number
    for file in result.json journal.jsonl; do
      if [[ -f $folder/$file ]]; then
        mkdir -p "$to" && cp "$folder/$file" "$to/" && break
      fi
    done
    if [[ ! -d $to ]]; then
      echo "$folder has no result.json and no journal.jsonl" >&2
      exit 2
    fi
  done
}

# The oldest go: names begin with the time.
prune() {
  local names=()
  while IFS= read -r one; do names+=("$one"); done < <(ls -1 "$tree/results" | LC_ALL=C sort)
  local left=$((${#names[@]} - keep))
  for ((at = 0; at < left; at++)); do rm -rf "${tree:?}/results/${names[$at]}"; done
}

publish() {
  local old=""
  rm -rf "$tree" && mkdir -p "$tree"
  if git ls-remote --exit-code --heads "$remote" "refs/heads/$branch" >/dev/null; then
    git fetch --quiet --no-tags --depth 1 "$remote" "refs/heads/$branch"
    old=$(git rev-parse FETCH_HEAD)
    git archive "$old" | tar -x -C "$tree"
  fi
  mkdir -p "$tree/results"
  take "$@"
  prune
  "${carrierspec[@]}" history "$tree/results" --out "$tree/docs" "${flags[@]}"
  touch "$tree/docs/.nojekyll"
  export GIT_INDEX_FILE=$work/index
  rm -f "$GIT_INDEX_FILE"
  git --work-tree="$tree" add --all --force .
  local commit
  commit=$(git commit-tree "$(git write-tree)" -m "History of carrierspec: $name")
  unset GIT_INDEX_FILE
  git push --quiet --force-with-lease="refs/heads/$branch:$old" "$remote" "$commit:refs/heads/$branch" || exit "$not_pushed"
}

for try in 1 2 3; do
  # As a condition the function would go on after what failed in it.
  set +e
  (
    set -e
    publish "$@"
  )
  code=$?
  set -e
  if ((code == 0)); then
    if [[ -n $site ]]; then mkdir -p "$site" && cp -R "$work/tree/docs/." "$site/"; fi
    exit 0
  fi
  if ((code != not_pushed)); then exit "$code"; fi
  echo "try $try: the branch was not pushed" >&2
done
exit 1
