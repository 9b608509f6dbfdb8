// What is left after a run, and its receipt, from the same blocks as report.md.
import type { Block } from '../../report/text/block.ts';
import { formatCount, formatMs } from '../../report/text/figure.ts';
import { formatProofs } from '../../report/text/run-words.ts';
import type { Card, ReportView } from '../view.ts';
import { CommandLine, Cost, PlusMinus, Words } from './small.tsx';
import { part, replayed } from './store.ts';

export function End({ card }: { card: Card }) {
  const report = part<ReportView>('report');
  if (!report || replayed.value || card.state !== 'finished') return null;
  const { tasks, tone, spent, takenMs, needs, changed } = card;
  const merge = needs.find(({ kind }) => kind === 'ready')?.command;
  const verdict = merge === undefined ? 'Done' : 'Ready to merge';
  return (
    <section class={`end box ${tone}`} aria-label="The end">
      <header class="line">
        <strong>{tone === 'good' ? verdict : 'Done, not clean'}</strong>
        <span class="grow">{tasks.total === 0 ? '' : formatProofs(tasks)}</span>
        {merge === undefined ? null : <CommandLine text={merge} />}
      </header>
      <div class="boxes">
        <Box title="Proof" blocks={report.proof} none="No check of a task was run." />
        <Box title="Look at before you merge" blocks={report.forYou} none="Nothing." />
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

function Box({ title, blocks, none }: { title: string; blocks: readonly Block[]; none: string }) {
  return (
    <div>
      <h2>{title}</h2>
      {blocks.length === 0 ? <p class="dim">{none}</p> : <Blocks list={blocks} />}
    </div>
  );
}

const tags = { lead: 'p', section: 'h2', item: 'div' } as const;

export function Blocks({ list }: { list: readonly Block[] }) {
  return (
    <article class="receipt stack">
      {list.map(({ kind, tone, pieces }, at) => {
        const Tag = tags[kind];
        return (
          <Tag key={at} class={`tone ${tone}`}>
            {pieces.map((piece, n) =>
              typeof piece === 'string' ? <Words key={n} text={piece} /> : <code key={n}>{piece.code}</code>,
            )}
          </Tag>
        );
      })}
    </article>
  );
}
