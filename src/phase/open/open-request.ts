// What the command line has prepared for opening a run.
import type { Caps } from '../../event/caps.ts';
import type { FactOf } from '../../event.ts';
import type { WorkplaceFacts } from '../../git/place/workplace.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunListener } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { Run, RunOptions } from '../../place/run.ts';

/** Before there is a journal. */
export type Base = Omit<Place, 'run' | 'plan' | 'index' | 'lane' | 'home'> &
  Omit<Run, 'id' | 'folder' | 'emit' | 'state' | 'wake' | 'today' | 'options'>;

export type OpenRequest = Readonly<{
  base: Base;
  /** Absolute. A review without a plan gets a file of this name in the run's folder. */
  planFile: string;
  /** That file's text: what the reviewed change is about; absent if the file exists. */
  goal?: string;
  workplace: WorkplaceFacts;
  about: Omit<FactOf<'run-started'>, 'type' | 'run' | 'plan' | 'planPlace' | 'branch' | 'base' | 'untracked'>;
  home?: Repo;
  /** Made for this run's ground. */
  newBranch?: Readonly<{ branch: string; from: string }>;
  caps: Caps;
  options: Omit<RunOptions, 'left'>;
  fresh: boolean;
  /** Id of the dialogue to continue; absent: a new one begins. */
  goesOn?: string;
  /** Where it listens for commands; absent: nowhere. */
  socket?: string | undefined;
  mask: (text: string) => string;
  show: RunListener;
}>;
