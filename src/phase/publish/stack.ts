// A run as a stack: each task's commit but the last is a branch and request based on the one before; the run's branch
// is the top. A rebased layer is pushed with a lease on what pawl pushed there.
import { boundRequestText, type ForgeRequest } from '../../forge/forge.ts';
import { listCommits } from '../../git/commit/history.ts';
import type { RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import { pushRef } from './push-branch.ts';

type Layer = Readonly<{ task: string; branch: string; head: string; known: Known | undefined }>;
type Known = NonNullable<RunState['layers']>[number];

/** For the run's request. `note`: Markdown, empty without a stack. */
export type StackBelow = Readonly<{ target: string; note: string }>;

/** The lowest first. */
export async function pushStack(place: Place, publish: PublishOptions): Promise<void> {
  for (const { branch, head, known } of await listLayers(place, publish))
    await pushRef(publish, { branch, head, mine: known?.head });
}

/** `isDone`: no drafts any more. */
export async function openStack(
  place: Place,
  publish: PublishOptions,
  { isDone }: Readonly<{ isDone: boolean }>,
): Promise<StackBelow> {
  const { forge, remote, taskText } = publish;
  const { draft } = place.run.config.forge;
  let { target } = publish;
  const open: Readonly<{ layer: Layer; request: ForgeRequest; target: string }>[] = [];
  for (const layer of await listLayers(place, publish)) {
    const { task, branch, head, known } = layer;
    const title = place.run.state().tasks.get(task)?.title ?? branch;
    const found = await forge.find(branch);
    // A person merged or closed it: the next goes where it went.
    if (!found && known) continue;
    const text = boundRequestText(taskText(place.run, task));
    const request = found ?? (await forge.open(branch, { title, text, target, draft }));
    open.push({ layer, request, target });
    const { number, url } = request;
    if (known?.head !== head || known.number !== number || known.target !== target)
      place.run.emit({
        type: 'request',
        state: 'open',
        noun: forge.noun,
        number,
        url,
        remote,
        target,
        head,
        branch,
      });
    target = branch;
  }
  const note = noteOf(open.map(({ request }) => request));
  for (const { layer, request, target: under } of open) {
    const text = boundRequestText(`${taskText(place.run, layer.task)}\n${note}`);
    await forge.update(request.number, { text, target: under });
    if (isDone && request.draft) await forge.ready(request);
  }
  return { target, note };
}

function noteOf(requests: readonly ForgeRequest[]): string {
  if (requests.length === 0) return '';
  const lines = requests.map(({ number, url }, at) => `${at + 1}. [#${number}](${url})`);
  return `\n---\nA stack, to be merged from the lowest to the run's own:\n\n${lines.join('\n')}\n`;
}

/** All tasks' commits in the branch but the last; the lowest first. */
async function listLayers({ run, repo }: Place, { stack }: PublishOptions): Promise<readonly Layer[]> {
  if (!stack) return [];
  const { started, tasks, layers = [] } = run.state();
  const commits = (await listCommits(repo, started.base)).toReversed();
  const own = commits.filter(({ task, key }) => tasks.get(task)?.closed?.key === key);
  return own.slice(0, -1).map(({ task, oid }) => {
    const branch = `${started.branch}-task-${task.replaceAll(/[^\w.-]/g, '-')}`;
    return { task, branch, head: oid, known: layers.find((one) => one.branch === branch) };
  });
}
