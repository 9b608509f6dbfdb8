// The text of a first `.pawl/config.yaml`.
import { stringify } from 'yaml';

export type StarterCheck = Readonly<{ command: string; reason: string }>;

const head = `# Settings of pawl for this project. What is commented out is the default, or an example.
# All settings: docs/settings.md of pawl, pawl config show --origin. A schema for editors: pawl config schema.

# Checks for plans that name none: a task is done when these exit with 0.
`;

const noChecks = '# checks: [npm test]\n';

const reviewHead = `
# Reviewers look at the work after the tasks; [] for none. There is also: external, by another agent.
review:
`;

const rest = `
# agent:
#   name: claude            # or codex, opencode, gemini, …
# roles:
#   task: opus              # the model of task sessions
# jobs: 1                   # tasks at once, each in a lane of its own
# keepGoing: false          # go on with independent tasks after one has failed
# require: passed           # what exit code 0 needs: proven, passed or unchecked
# budgets:
#   maxCost: 20             # US dollars for one run; no limit by default
# worktree:
#   setup: npm ci           # once in each new working tree
# sandbox:
#   kind: none              # or docker, process
# commit:
#   subject: "{title}"
# Messages to your phone belong into your own settings: docs/messages.md of pawl, then pawl notify test.
`;

/** It parses to nothing but the checks and the review's stages. */
export function starterConfig(checks: readonly StarterCheck[], stages: readonly string[]): string {
  const after = `${reviewHead}  stages: [${stages.join(', ')}]\n${rest}`;
  if (checks.length === 0) return head + noChecks + after;
  const lines = checks.map(
    ({ command, reason }) =>
      `  # ${reason.replaceAll('\n', ' ')}\n  - ${stringify(command, { lineWidth: 0 }).trim()}\n`,
  );
  return `${head}checks:\n${lines.join('')}${after}`;
}

/** As `pawl init` wrote it, with whatever checks and stages. */
export function isStarter(text: string): boolean {
  return (
    text.startsWith(head) &&
    text.endsWith(rest) &&
    /^(?:# checks: .*\n|checks:\n(?: {2}.*\n)*)\n# Reviewers.*\nreview:\n {2}stages: .*\n$/.test(
      text.slice(head.length, -rest.length),
    )
  );
}
