// Options and commands of similar tools, ralphex first, with pawl's names for them. Used only for an unknown word. Pure.

const wait = 'It waits for usage limits by itself, up to limits.maxWait: --set limits.maxWait=6h';
const review = 'The review after the tasks has stages: --review first,external,final; alone: pawl review';
const watch = '`pawl web` shows all runs in a browser; `pawl logs -f` follows one in any terminal.';
const settings = '`pawl config show --origin` shows all settings and where they come from.';

/** What to do instead, by the option that the command does not have. */
export const foreignOptions: Readonly<Record<string, string>> = {
  '--serve': watch,
  '--watch': watch,
  '--port': watch,
  '--host': watch,
  '--plan': 'To make a plan: pawl plan "what you want"',
  '--wait': wait,
  '--session-timeout': 'Longest session: --set clocks.session=4h',
  '--idle-timeout': 'Longest silence of a session: --set clocks.silence=10m',
  '--base-ref': 'pawl review --base <ref> reviews the changes since then.',
  '--external-only': 'pawl review --stage external',
  '--codex-only': 'pawl review --stage external',
  '--codex': 'codex as the agent: --agent codex; as a reviewer: --review external',
  '--task-model': '--model <model[:effort]>, or --set roles.task=<model>',
  '--review-model': '--set roles.review=<model>',
  '--plan-model': '--set roles.plan=<model>',
  '--max-iterations': '--max-sessions <n> bounds the run; --set task.attempts=<n> each task',
  '--max-external-iterations': 'A stage in review.stages has its own rounds: pawl config schema',
  '--review-patience': 'A stage in review.stages has its own rounds: pawl config schema',
  '--claude-command': '--set agent.claude.command=<program>',
  '--claude-args': 'agent.claude.args in .pawl/config.yaml holds them; pawl migrate brings them there.',
  '--external-review-tool': 'review.stages has a stage for it: docs/reviews.md',
  '--custom-review-script': 'review.stages has a stage for it: docs/reviews.md',
  '--preserve-anthropic-api-key': '--set agent.claude.apiKey=keep',
  '--skip-finalize': 'There is none unless finalize.prompt is set and a review is requested.',
  '--review': review,
  '-r': review,
  '-e': 'pawl review --stage external',
  '-t': 'Without a review: --tasks-only',
  '-b': 'pawl review --base <ref> reviews the changes since then.',
  '-m': '--max-sessions <n> bounds the run; --set task.attempts=<n> each task',
  '-s': watch,
  '-w': watch,
  '--no-color': 'The variable NO_COLOR=1 turns colors off.',
  '--config-dir': 'Settings are in .pawl/ and ~/.config/pawl/ (XDG_CONFIG_HOME); PAWL_… variables beat both.',
  '--reset': settings,
  '--dump-defaults': settings,
  '--init': 'pawl init',
  '--debug': '--verbose shows more.',
  '--start-at': 'A run that meets a usage limit waits for it. To begin later: at, cron or a systemd timer.',
  '--start-after-reset': wait,
  '--stop-on-failure':
    'It is what several plans do: without --keep-going, none begins after one that failed.',
  '--junit': 'pawl report --json has an item for each task; pawl findings --sarif is for code scanning.',
  '--csv': 'pawl stats --json',
  '--replan-policy': 'A planner may not weaken the plan; pawl edit changes it.',
  '--resume': 'pawl run resumes an unfinished run of the plan.',
  '--continue': 'pawl run resumes an unfinished run of the plan.',
};

/** What to do instead, by the command that does not exist. */
export const foreignCommands: Readonly<Record<string, string>> = {
  take: 'pawl fleet take',
  submit: 'pawl fleet submit',
  worker: 'pawl fleet work',
  compare: 'pawl stats RUN RUN shows runs side by side',
  resume: 'pawl run resumes a stopped run; pawl continue ends a pause',
  watch,
  serve: watch,
  version: 'pawl --version',
  tail: 'pawl logs -f',
  start: 'pawl run docs/plans/login.md',
  abort: 'pawl stop ends a run; it can be resumed. pawl discard gives it up.',
  kill: 'pawl stop ends a run; it can be resumed.',
  approve: 'pawl answer gives a task the answer that it waits for.',
};
