// A run's requests: which are open, and that each has its branch's part of the receipt as text.
import type { FactOf } from '../../event.ts';
import { boundRequestText, type ForgeRequest } from '../../forge/forge.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import type { Layer, PushedLayer } from './layers.ts';

/** `target`: where it is to go. */
export type Published = Readonly<{ layer: PushedLayer; request: ForgeRequest; target: string }>;

/** `end`: as of now. `isDone`: nothing speaks against merging. */
type Moment = Readonly<{ end: FactOf<'run-ended'>; isDone: boolean }>;

/** Those whose request is open or, with `opens`, still to be; not those a person merged or closed. */
export async function listOpen(
  { run }: Place,
  { forge }: PublishOptions,
  { layers, opens }: Readonly<{ layers: readonly Layer[]; opens: boolean }>,
): Promise<readonly Layer[]> {
  const { requests } = run.state();
  const all: Layer[] = [];
  for (const layer of layers) {
    const request = await forge.find(layer.branch);
    if (request) all.push({ ...layer, request });
    else if (opens && !requests.has(layer.branch)) all.push(layer);
  }
  return all;
}

/** Opens those that are missing. */
export async function openRequests(
  place: Place,
  publish: PublishOptions,
  { layers, moment }: Readonly<{ layers: readonly PushedLayer[]; moment: Moment }>,
): Promise<readonly Published[]> {
  const { run } = place;
  const { stack } = publish;
  const isAnswer = run.options.review?.answers === true;
  let { target } = publish;
  const all: Published[] = [];
  for (const layer of layers) {
    const { branch, there } = layer;
    const known = run.state().requests.get(branch);
    const request = layer.request ?? (await openRequest(place, publish, { layer, target, ...moment }));
    // The next goes where it went.
    const one = { layer, request, target: stack && !isAnswer ? target : request.target };
    all.push(one);
    if (known?.head !== there || known.number !== request.number || known.target !== one.target)
      emitRequest(place, publish, { ...one, state: 'open' });
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
  const { forge, stack } = publish;
  const note = requests.length > 1 ? noteOf(requests) : '';
  for (const { layer, request, target } of requests) {
    const text = textOf(place, publish, { layer, moment, note });
    await forge.update(request.number, { text, ...(stack ? { target } : {}) });
    if (!moment.isDone || !run.config.forge.draft || !request.draft) continue;
    await forge.ready(request);
    emitRequest(place, publish, { layer, request, target, state: 'ready' });
  }
}

function emitRequest(
  { run }: Place,
  { forge: { noun }, remote }: PublishOptions,
  { layer, request, target, state }: Published & Pick<FactOf<'request'>, 'state'>,
): void {
  const { branch, there: head, foreign } = layer;
  const { number, url } = request;
  const whose = foreign ? { foreign: true as const } : {};
  run.emit({ type: 'request', state, noun, number, url, remote, target, head, branch, ...whose });
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
