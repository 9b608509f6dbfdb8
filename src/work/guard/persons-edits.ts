// Stops the run if tracked files changed while reviewers or planners worked, most likely by a person: the next session
// would commit them as its own.
import { commandAgain } from '../../event/again.ts';
import { Failure } from '../../failure.ts';
import { fewOf, nameOf, splitNul } from '../../git/run/names.ts';
import type { Place } from '../../place/place.ts';

/** Throws while such a file differs from HEAD, unless a person has said that it belongs to the run. */
export async function refusePersonsEdits(place: Place): Promise<void> {
  const { personsEdits } = place.run.state();
  // A lane has none of a person's edits.
  if (personsEdits.length === 0 || place.lane) return;
  const args = ['diff-index', '--name-only', '-z', '--no-renames', 'HEAD', '--'];
  const changed = new Set(splitNul(await place.repo.bytes(args)).map(nameOf));
  const files = personsEdits.filter((file) => changed.has(file));
  if (files.length === 0) return;
  if (place.run.options.takeEdits) {
    place.run.emit({ type: 'edits-taken', files });
    return;
  }
  const take = commandAgain(place.run.state(), '--take-edits ');
  throw new Failure(
    'needs-person',
    `${fewOf(files)} changed while reviewers or a planner worked, and pawl does not know of a session of the run that did it`,
    {
      hint: `Commit, stash or restore your changes, then run the same command again; or make them part of the open work with \`${take}\`.`,
    },
  );
}
