// The requests of a run's branches: what of them is open, and that each has its branch's part of the receipt as text.
import type { FactOf } from '../../event.ts';
import { boundRequestText, type ForgeRequest } from '../../forge/forge.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import type { PushedLayer } from './push-layers.ts';

/** `target`: where it is to go. */
export type Published = Readonly<{ layer: PushedLayer; request: ForgeRequest; target: string }>;

/** `end`: as of now. `isDone`: nothing speaks against merging. */
type Moment = Readonly<{ end: FactOf<'run-ended'>; isDone: boolean }>;

/** Those that are open; without `open` none is made. What a person merged or closed is left out. */
export async function findRequests(
  place: Place,
  publish: PublishOptions,
  { layers, open }: Readonly<{ layers: readonly PushedLayer[]; open?: Moment }>,
): Promise<readonly Published[]> {
  const { run } = place;
  const { forge, remote, stack } = publish;
  let { target } = publish;
  const all: Published[] = [];
  for (const layer of layers) {
    const { branch, head } = layer;
    const known = run.state().requests.get(branch);
    const found = await forge.find(branch);
    const request =
      found ?? (known || !open ? undefined : await openRequest(place, publish, { layer, target, ...open }));
    // The next goes where it went.
    if (!request) continue;
    const into = stack && open ? target : request.target;
    all.push({ layer, request, target: into });
    const { number, url } = request;
    if (known?.head !== head || known.number !== number || known.target !== into)
      run.emit({
        type: 'request',
        state: 'open',
        noun: forge.noun,
        number,
        url,
        remote,
        target: into,
        head,
        branch,
      });
    target = branch;
  }
  return all;
}

function openRequest(
  place: Place,
  publish: PublishOptions,
  { layer, target, ...moment }: Moment & Readonly<{ layer: PushedLayer; target: string }>,
): Promise<ForgeRequest> {
  const { run } = place;
  const { branch, task } = layer;
  const title = task?.title ?? run.state().started.title;
  const text = textOf(place, publish, { layer, moment, note: '' });
  return publish.forge.open(branch, { title, text, target, draft: run.config.forge.draft });
}

/** No drafts any more once all is done. */
export async function updateRequests(
  place: Place,
  publish: PublishOptions,
  { requests, ...moment }: Moment & Readonly<{ requests: readonly Published[] }>,
): Promise<void> {
  const { run } = place;
  const { forge, stack, remote } = publish;
  const note = requests.length > 1 ? noteOf(requests) : '';
  for (const { layer, request, target } of requests) {
    const text = textOf(place, publish, { layer, moment, note });
    await forge.update(request.number, { text, ...(stack ? { target } : {}) });
    if (!moment.isDone || !run.config.forge.draft || !request.draft) continue;
    await forge.ready(request);
    const { number, url } = request;
    const { branch, head } = layer;
    run.emit({
      type: 'request',
      state: 'ready',
      noun: forge.noun,
      number,
      url,
      remote,
      target,
      head,
      branch,
    });
  }
}

function textOf(
  { run }: Place,
  { text, taskText }: PublishOptions,
  { layer: { task }, moment, note }: Readonly<{ layer: PushedLayer; moment: Moment; note: string }>,
): string {
  const own = task ? taskText(run, task.id) : text(run, moment.end);
  return boundRequestText(`${own}${task ? '\n' : ''}${note}`);
}

function noteOf(requests: readonly Published[]): string {
  const lines = requests.map(({ request: { number, url } }, at) => `${at + 1}. [#${number}](${url})`);
  return `\n---\nA stack, to be merged from the lowest to the run's own:\n\n${lines.join('\n')}\n`;
}
