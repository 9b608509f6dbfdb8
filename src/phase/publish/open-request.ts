// The request of a run's branch, with the receipt as text; no draft once all is well.
import type { FactOf } from '../../event.ts';
import { boundRequestText } from '../../forge/forge.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import { openStack } from './stack.ts';

/** `end`: as of now. `isDone`: nothing speaks against merging. */
export type RequestMoment = Readonly<{ head: string; end: FactOf<'run-ended'>; isDone?: boolean }>;

export async function openRequest(
  place: Place,
  publish: PublishOptions,
  { head, end, isDone = false }: RequestMoment,
): Promise<void> {
  const { started, request: known } = place.run.state();
  const { branch, title } = started;
  const { forge, remote } = publish;
  const { target, note } = await openStack(place, publish, { isDone });
  const body = boundRequestText(`${publish.text(place.run, end)}${note}`);
  const found = await forge.find(branch);
  const { draft } = place.run.config.forge;
  const request = found ?? (await forge.open(branch, { title, text: body, target, draft }));
  const fact = { type: 'request', noun: forge.noun, number: request.number, url: request.url } as const;
  const under = publish.stack ? target : request.target;
  const where = { remote, target: under, head };
  if (known?.head !== head || known.number !== request.number)
    place.run.emit({ ...fact, state: 'open', ...where });
  if (found) await forge.update(request.number, { text: body, ...(publish.stack ? { target } : {}) });
  if (!isDone || !draft || !request.draft) return;
  await forge.ready(request);
  place.run.emit({ ...fact, state: 'ready', ...where });
}
