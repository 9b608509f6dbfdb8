// What is left after a run, and its receipt, from the same blocks as report.md.
import type { Block } from '../../report/text/block.ts';
import { formatCount, formatMs } from '../../report/text/figure.ts';
import { formatProofs } from '../../report/text/run-words.ts';
import type { Card, EndView } from '../view.ts';
import { CommandLine, Cost, PlusMinus, Words } from './small.tsx';
import { part, replayed } from './store.ts';

export function End({ card }: { card: Card }) {
  const end = part<EndView>('end');
  if (!end || replayed.value || card.state !== 'finished') return null;
  const { tasks, exit, spent, takenMs, needs } = card;
  const { forYou, changed } = end;
  const merge = needs.find(({ kind }) => kind === 'ready')?.command;
  const isGood = exit === 0;
  const verdict = merge === undefined ? 'Done' : 'Ready to merge';
  return (
    <section class={`end box ${isGood ? 'good' : 'warn'}`} aria-label="The end">
      <header class="line">
        <strong>{isGood ? verdict : 'Done, not clean'}</strong>
        <span class="grow">{tasks.total === 0 ? '' : formatProofs(tasks)}</span>
        {merge === undefined ? null : <CommandLine text={merge} />}
      </header>
      <div class="boxes">
        <Proof end={end} />
        <div>
          <h2>Look at before you merge</h2>
          {forYou.length === 0 ? <p class="dim">Nothing.</p> : null}
          {forYou.map((block, at) => (
            <p key={at}>
              <span aria-hidden="true">☐</span> <Pieces block={block} />
            </p>
          ))}
        </div>
        <div>
          <h2>Price</h2>
          <p>
            <strong>
              <Cost spent={spent} />
            </strong>{' '}
            {formatCount(spent.sessions, 'session')}
          </p>
          <p>
            <strong>{formatMs(takenMs)}</strong> at work
          </p>
          {changed === undefined ? null : (
            <p>
              <strong>{formatCount(changed.files, 'file')}</strong>{' '}
              <PlusMinus plus={changed.insertions} minus={changed.deletions} />
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

function Proof({ end: { turnedGreen, stayedGreen, fresh } }: { end: EndView }) {
  return (
    <div>
      <h2>Proof</h2>
      {turnedGreen > 0 ? (
        <p class="tone good">✓ {formatCount(turnedGreen, 'check')} red before, green now</p>
      ) : null}
      {stayedGreen > 0 ? <p>✓ {formatCount(stayedGreen, 'check')} stayed green</p> : null}
      {turnedGreen + stayedGreen === 0 ? <p class="tone warn">No check of a task was run.</p> : null}
      {fresh === 'green' ? <p>✓ all green in a fresh checkout</p> : null}
      {fresh === 'red' ? <p class="tone bad">✗ red in a fresh checkout</p> : null}
    </div>
  );
}

const tags = { lead: 'p', section: 'h2', item: 'div' } as const;

export function Receipt() {
  const blocks = part<readonly Block[]>('receipt') ?? [];
  return (
    <article class="receipt">
      {blocks.map((block, at) => {
        const Tag = tags[block.kind];
        return (
          <Tag key={at} class={`tone ${block.tone}`}>
            <Pieces block={block} />
          </Tag>
        );
      })}
    </article>
  );
}

function Pieces({ block }: { block: Block }) {
  return (
    <>
      {block.pieces.map((piece, at) =>
        typeof piece === 'string' ? <Words key={at} text={piece} /> : <code key={at}>{piece.code}</code>,
      )}
    </>
  );
}
