// A worker without work: completes what it is offered, with so many slots, until the queue is empty; says how many that were.
import { openDatabase } from '../../src/fleet/database.ts';
import { openQueue } from '../../src/fleet/pg-boss.ts';

const [url = '', slots = '1'] = process.argv.slice(2);
await using database = await openDatabase(url);
await using queue = await openQueue(database, { serving: 10_000 });
const ids: string[] = [];
for (let empty = 0; empty < 4; ) {
  const offers = await queue.offer({ repos: ['/r'], labels: [] }, Number(slots));
  empty = offers.length === 0 ? empty + 1 : 0;
  await Promise.all(
    offers.map(async (offer) => {
      if (await queue.complete(offer, { kind: 'done', exit: 0, says: '' })) ids.push(offer.id);
    }),
  );
  if (offers.length === 0) await new Promise((resolve) => setTimeout(resolve, 250));
}
process.stdout.write(JSON.stringify(ids));
