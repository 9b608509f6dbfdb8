// `pawl status --remote`: the runs on a git remote. Changes nothing but objects that git fetches.
import { takeCommand } from '../event/again.ts';
import { Failure } from '../failure.ts';
import type { Repo } from '../git/run/repo.ts';
import { type CarriedRun, readRun } from '../phase/carry/owner.ts';
import { formatStanding } from '../report/status/format-standing.ts';
import { formatCount, formatMs } from '../report/text/figure.ts';
import { emptyLine, type Line, labelled } from '../report/text/line.ts';
import type { RunView } from '../report/view/run-view.ts';
import { viewRun } from '../report/view/view-run.ts';
import { listCarried } from '../start/carry/find-carried.ts';
import { readJournalOf } from '../start/carry/lay-out.ts';
import { needRemote } from '../start/carry/prepare-carry.ts';
import { type CliContext, print, printJson, printLines, printNote } from '../start/context.ts';
import { needPlace } from '../start/find-run.ts';
import { openPlace } from '../start/open-place.ts';
import { namesIn, noRun, runsNamed } from '../start/resolve-word.ts';

/** As the machine that carried it last knew it then, ISO 8601. `--json` prints a list of these. */
type CarriedView = RunView & Readonly<{ machine: string; at: string }>;

/** Those not finished, with `all` every one, or those that `word` names; the last carried first. */
export async function showRemoteStatus(
  context: CliContext,
  word: string | undefined,
  { json = false, all = false }: Readonly<{ json?: boolean | undefined; all?: boolean | undefined }>,
): Promise<number> {
  const place = needPlace(context);
  const { repo, config } = await openPlace(context, place);
  const remote = await needRemote(repo, config.carry.remote);
  const { runs, strange } = await listCarried(repo, remote);
  for (const { message } of strange) printNote(context, message);
  const shown =
    word === undefined
      ? runs.filter(({ ended }) => all || json || !ended)
      : runsNamed(namesIn(context, place), runs, word);
  const views: CarriedView[] = [];
  for (const run of shown) views.push(...(await readView(context, repo, run)));
  if (json) return printJson(context, views);
  const nowMs = context.now().getTime();
  for (const [at, view] of views.entries()) {
    const lines = formatCarried(view, { nowMs, take: takeCommand(view.run, remote.name) });
    printLines(context, at === 0 ? lines : [emptyLine, ...lines]);
  }
  const left = word === undefined ? runs.length - shown.length : 0;
  if (left > 0) print(context, `${formatCount(left, 'finished run')}: \`pawl status --remote --all\``);
  else if (views.length === 0) print(context, `There is ${noRun(word, `on ${remote.name}`)}.`);
  return 0;
}

async function readView(
  context: CliContext,
  repo: Repo,
  { oid }: CarriedRun,
): Promise<readonly CarriedView[]> {
  try {
    const carried = await readRun(repo, oid);
    const view = viewRun(readJournalOf(carried).state, { isHeld: true });
    return [{ ...view, machine: carried.host, at: carried.at }];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    printNote(context, error.message);
    return [];
  }
}

/** What continues it here takes it up. */
function formatCarried(
  { machine, at, ...view }: CarriedView,
  { nowMs, take }: Readonly<{ nowMs: number; take: string }>,
): readonly Line[] {
  const ago = formatMs(Math.max(0, nowMs - Date.parse(at)));
  return [
    ...formatStanding({ ...view, hints: [], ...(view.state === 'finished' ? {} : { next: take }) }, nowMs),
    labelled('plain', 'machine', `carried by ${machine} ${ago} ago`),
  ];
}
