// The last step of a run that ended well, if `finalize.squash` asks for it: one commit for all.
import { closeKeysOf } from '../git/commit/history.ts';
import { squash } from '../git/commit/squash.ts';
import type { LoggedCommit } from '../git/run/log.ts';
import type { Place } from '../place/place.ts';
import { squashMessage } from '../work/close/commit-message.ts';
import { refuseElsewhere } from '../work/on-branch.ts';

export async function squashRun(place: Place, isClean: boolean): Promise<void> {
  const { config, id, emit, state } = place.run;
  const { started, squashed } = state();
  if (!config.finalize.squash || squashed) return;
  refuseElsewhere(place);
  const made = isClean
    ? await squash(place.repo, {
        ...{ run: id, base: started.base },
        messageOf: (commits) => squashMessage(place, started.title, commits.map(partOf)),
      })
    : 'the run has something for a person to look at';
  if (typeof made !== 'string') emit({ type: 'run-squashed', ...made });
  else emit({ type: 'noticed', code: 'not-squashed', text: `The commits were not squashed: ${made}` });
}

function partOf({ message }: LoggedCommit): Parameters<typeof squashMessage>[2][number] {
  const [subject = ''] = message.split('\n', 1);
  return { subject, keys: closeKeysOf(message) };
}
