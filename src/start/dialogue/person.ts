// Who answers the planner with `--yes`: nobody; without it, somebody must be there.
import { fstatSync } from 'node:fs';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import type { Person } from '../../place/run.ts';
import type { CliContext } from '../context.ts';

/** Throws a Failure if nobody can answer. `takesStdin`: the request is read from it. */
export function refuseNobody({ stdin }: CliContext, takesStdin: boolean): void {
  const { fd, isTTY } = stdin as { fd?: number; isTTY?: boolean };
  const stats = fd === undefined ? undefined : fstatSync(fd);
  // /dev/null holds no lines.
  const mayHoldLines = stats && (stats.isFIFO() || stats.isFile() || stats.isSocket());
  if (!takesStdin && (isTTY || mayHoldLines)) return;
  throw new Failure('usage', 'nobody can answer questions: stdin is not a terminal and contains no answers', {
    hint: 'Add --yes to take what is recommended, or run it at a terminal.',
  });
}

/** `trusted`: commands, which run the repository's code, need no confirmation. */
export function sayYes(trusted: boolean): Person {
  return {
    answer: async (question) => prefer(question),
    judge: async ({ draft, file }) =>
      draft.errors.length === 0
        ? { choice: 'accepted', by: 'default' }
        : {
            silence: `draft ${draft.draft} has mistakes that the planner does not fix`,
            hint: `Look at ${file}; at a terminal, \`pawl plan --resume\` continues.`,
          },
    allowsChecks: async () => trusted,
  };
}

function prefer({ options }: FactOf<'dialogue-asked'>) {
  const recommended = options.find((option) => option.recommended);
  const option = recommended ?? options[0];
  if (!option)
    return {
      answer: 'Nobody is there to answer. Decide as you would recommend, and say so under the assumptions.',
      by: 'default' as const,
      because: 'it has no options',
    };
  const because = recommended ? 'it is recommended' : 'it comes first, and none is recommended';
  return { answer: option.label, by: 'default' as const, because };
}
