"""What runs tx where nobody types: jobs of GitHub and GitLab, hooks of the pre-commit framework, a line of cron."""

from __future__ import annotations

import json
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

HOOKS = """\
- repo: local
  hooks:
    - id: tx-verify
      name: learnings hold
      entry: tx verify --staged --since HEAD
      language: system
      pass_filenames: false
      always_run: true
    - id: tx-check-changes
      name: usual partners of what changes
      entry: tx graph:check-changes --staged
      language: system
      pass_filenames: false
      always_run: true
      verbose: true
"""
"""An item of `repos`. The reminder of partners is verbose: a hook that passes says nothing otherwise."""

_REVIEW = """\
name: tx
on: pull_request
permissions:
  contents: read
  pull-requests: write
jobs:
  review:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - name: Install tx
        run: |
          python3 -m venv "$RUNNER_TEMP/tx"
          "$RUNNER_TEMP/tx/bin/pip" install --quiet {requirement}
          echo "$RUNNER_TEMP/tx/bin" >> "$GITHUB_PATH"
      - uses: actions/cache@v4
        with:
          path: .tx/graph.db
          key: tx-${{{{ github.sha }}}}
          restore-keys: tx-
      - name: Read the repository
        run: tx sync
      - name: Comment on the pull request
        if: github.event.pull_request.head.repo.full_name == github.repository
        env:
          GH_TOKEN: ${{{{ github.token }}}}
          PULL: ${{{{ github.event.pull_request.number }}}}
        run: |
          tx review --since "origin/$GITHUB_BASE_REF" --format markdown --fail-on never > "$RUNNER_TEMP/review.md"
          comments="repos/$GITHUB_REPOSITORY/issues/$PULL/comments"
          old=$(gh api "$comments" --paginate --jq '.[] | select(.body | startswith("<!-- tx-review -->")) | .id')
          if [ -n "$old" ]; then
            one="repos/$GITHUB_REPOSITORY/issues/comments/$(echo "$old" | head -n 1)"
            gh api --method PATCH "$one" --field "body=@$RUNNER_TEMP/review.md" --silent
          else
            gh api "$comments" --field "body=@$RUNNER_TEMP/review.md" --silent
          fi
      - name: Review
        run: tx review --since "origin/$GITHUB_BASE_REF" --format github
"""

_GITLAB = """\
tx-review:
  image: python:3.12
  variables:
    GIT_DEPTH: "0"
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  cache:
    key: tx
    paths:
      - .tx/graph.db
  script:
    - pip install --quiet {requirement}
    - tx sync
    - tx verify --format gitlab --fail-on never > tx-quality.json
    - |
      if [ -n "$CI_MERGE_REQUEST_DIFF_BASE_SHA" ]; then
        tx review --since "$CI_MERGE_REQUEST_DIFF_BASE_SHA" --format junit > tx-review.xml
      fi
  artifacts:
    when: always
    reports:
      codequality: tx-quality.json
      junit: tx-review.xml
"""


def workflow(requirement: str) -> str:
    """Return a workflow for GitHub that installs tx by this requirement of pip and reviews pull requests."""
    return _REVIEW.format(requirement=shlex.quote(requirement))


def gitlab_job(requirement: str) -> str:
    """Return a job for GitLab that installs tx by this requirement of pip and reviews merge requests."""
    return _GITLAB.format(requirement=shlex.quote(requirement))


def cron_line(root: Path, program: str) -> str:
    """Return a line of a crontab: on Mondays at 6:30; the program by its path, for cron's PATH is short."""
    line = f"cd {shlex.quote(str(root))} && {shlex.quote(program)} maintain >/dev/null"
    return f"30 6 * * 1  {line}".replace("%", r"\%")


def requirement() -> str:
    """Return what pip installs this tx by: its release, or the repository and commit that it came from."""
    try:
        told = json.loads(distribution("tx-graph").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        told = {}
    if commit := told.get("vcs_info", {}).get("commit_id"):
        return f"tx-graph @ git+{told['url']}@{commit}"
    return "tx-graph"
