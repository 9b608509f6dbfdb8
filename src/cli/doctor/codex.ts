// codex's own sandbox, where codex works or reviews: tried with a command that does nothing, which costs no token.
import type { Config } from '../../config/schema.ts';
import { readStages } from '../../config/stages.ts';
import type { Answer } from '../run-quietly.ts';
import { type Entry, type Eyes, type Found, makeEntry, ok, warn } from './entry.ts';

/** The entry about codex's sandbox. */
export const codexEntry: Entry = makeEntry('codex', lookCodex, judgeCodex);

async function lookCodex({ config, has, run }: Eyes): Promise<Answer | undefined> {
  const { command, args } = config.agent.codex;
  // In a container it is another machine's.
  if (!usesCodex(config) || config.sandbox.kind === 'docker' || !has(command)) return undefined;
  return run(command, [...args, 'sandbox', '--', 'true']);
}

function usesCodex({ agent, review }: Config): boolean {
  return agent.name === 'codex' || readStages(review.stages).some((stage) => stage.agent === 'codex');
}

/** Judges how the trial ended; undefined: there was none. */
export function judgeCodex(answer: Answer | undefined): Found | undefined {
  if (!answer) return undefined;
  if (answer.code === 0) return ok('its sandbox runs commands');
  const said = answer.stderr.trim().split('\n').at(-1) || 'it does not answer';
  return warn(
    `it can run no command in its sandbox, so its reviews count as missing: ${said}`,
    'bubblewrap 0.9 or newer, or a CODEX_HOME it can write outside temporary folders; `codex sandbox -- true` tries it.',
  );
}
