// A worker without work: completes what it is offered, with so many slots, until the queue is empty; says how many that were.
import { openDatabase } from '../../src/fleet/database.ts';
import { Queue } from '../../src/fleet/queue.ts';

const [url = '', slots = '1'] = process.argv.slice(2);
await using database = await openDatabase(url);
const queue = new Queue(database, 30_000);
const ids: string[] = [];
/** One slot of the worker. */
async function work(): Promise<void> {
  for (let empty = 0; empty < 4; ) {
    const offer = await queue.offer({ repos: ['/r'], open: [] });
    empty = offer ? 0 : empty + 1;
    if (!offer) await new Promise((resolve) => setTimeout(resolve, 250));
    else if (await queue.complete(offer, { kind: 'done', exit: 0, says: '' })) ids.push(offer.id);
  }
}

await Promise.all(Array.from({ length: Number(slots) }, work));
process.stdout.write(JSON.stringify(ids));
