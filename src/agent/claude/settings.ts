// The settings of Claude Code as its adapter receives them.

/** The settings under `agent.claude`, and what of the surroundings they depend on. */
export type ClaudeSettings = Readonly<{
  /** Program name or path. */
  command: string;
  /** Put before pawl's own arguments; an option that stands here is not given again. */
  args: readonly string[];
  /** Default model; a request's own wins. */
  model?: string | undefined;
  /** Default effort word; a request's own wins. */
  effort?: string | undefined;
  /** `bypass`: nothing is asked. `acceptEdits`, `dontAsk`: what would be asked is denied. */
  permissions: 'bypass' | 'acceptEdits' | 'dontAsk';
  /** What happens to `ANTHROPIC_API_KEY`; `auto`: dropped when another login exists. */
  apiKey: 'auto' | 'keep' | 'drop';
  /** `text`: the prompt as plain text, then end of input; no corrections, no control. `auto`: so for a wrapper, by its name. */
  input: 'auto' | 'stream' | 'text';
  /** Another login than the API key exists on this machine. */
  otherLogin: boolean;
  /** pawl's own clocks, milliseconds: the CLI is told to give up before they ring. */
  clocks: Readonly<{ silenceMs: number; apiMs: number; toolMs: number }>;
}>;
