// A run's requests: which are open, and that each has its branch's part of the receipt as text.
import type { FactOf } from '../../event.ts';
import { boundRequestText, type ForgeRequest } from '../../forge/forge.ts';
import type { Layer, PublishPlace, PushedLayer } from './layers.ts';

/** `target`: where it is to go. */
export type Published = PushedLayer & Readonly<{ request: ForgeRequest; target: string }>;

/** Those whose request is open or, with `opens`, still to be; not those a person merged or closed. */
export async function listOpen(
  { run, publish: { forge } }: PublishPlace,
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

/** Opens those that are missing. `end`: as of now. */
export async function openRequests(
  place: PublishPlace,
  { layers, end }: Readonly<{ layers: readonly PushedLayer[]; end: FactOf<'run-ended'> }>,
): Promise<readonly Published[]> {
  const { run, publish } = place;
  const { stack, forge } = publish;
  const isAnswer = run.state().started.review?.answers === true;
  let { target } = publish;
  const all: Published[] = [];
  for (const layer of layers) {
    const { branch, there, task } = layer;
    const known = run.state().requests.get(branch);
    const title = task?.title ?? run.state().started.title;
    const text = textOf(place, { task, end, note: '' });
    const request =
      layer.request ?? (await forge.open(branch, { title, text, target, draft: run.config.forge.draft }));
    // The next goes where it went.
    const one = { ...layer, request, target: stack && !isAnswer ? target : request.target };
    all.push(one);
    if (known?.head !== there || known.number !== request.number || known.target !== one.target)
      emitRequest(place, { ...one, state: 'open' });
    target = branch;
  }
  return all;
}

/** `isLast`: whether all that can speak against merging is in `end`. If that is nothing, no request stays a draft. */
export async function updateRequests(
  place: PublishPlace,
  given: Readonly<{ requests: readonly Published[]; end: FactOf<'run-ended'>; isLast: boolean }>,
): Promise<void> {
  const { run, publish } = place;
  const { forge, stack } = publish;
  const { requests, end, isLast } = given;
  const note = requests.length > 1 ? noteOf(requests) : '';
  for (const one of requests) {
    const { request, target, task } = one;
    const text = textOf(place, { task, end, note });
    await forge.update(request.number, { text, ...(stack ? { target } : {}) });
    if (!isLast || end.exit !== 0 || !run.config.forge.draft || !request.draft) continue;
    await forge.ready(request);
    emitRequest(place, { ...one, state: 'ready' });
  }
}

function emitRequest(
  { run, publish: { forge, remote } }: PublishPlace,
  { branch, there: head, foreign, request, target, state }: Published & Pick<FactOf<'request'>, 'state'>,
): void {
  const { number, url } = request;
  const { noun } = forge;
  const whose = foreign ? { foreign: true as const } : {};
  run.emit({ type: 'request', state, noun, number, url, remote, target, head, branch, ...whose });
}

function textOf(
  { run, publish: { text } }: PublishPlace,
  { task, end, note }: Readonly<{ task: Layer['task']; end: FactOf<'run-ended'>; note: string }>,
): string {
  return boundRequestText(`${text(run, end, task?.id)}${task ? '\n' : ''}${note}`);
}

function noteOf(requests: readonly Published[]): string {
  const lines = requests.map(({ request: { number, url } }, at) => `${at + 1}. [#${number}](${url})`);
  return `\n---\nA stack, to be merged from the lowest to the run's own:\n\n${lines.join('\n')}\n`;
}
