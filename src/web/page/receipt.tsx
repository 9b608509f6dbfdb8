// The receipt of a run, from the same blocks as report.md; and the journal in words.
import { formatClock } from '../../report/text/figure.ts';
import type { LogLine, ReceiptView } from '../view.ts';
import { searched } from './searched.ts';
import { part } from './store.ts';

type Block = ReceiptView['blocks'][number];

export function Receipt() {
  const receipt = part<ReceiptView>('receipt');
  if (!receipt) return null;
  return (
    <article class="receipt">
      {groupItems(receipt.blocks).map((group, at) =>
        Array.isArray(group) ? (
          <ul key={at}>
            {group.map((block, n) => (
              <li key={n} class={block.tone}>
                <Pieces block={block} />
              </li>
            ))}
          </ul>
        ) : group.kind === 'section' ? (
          <h3 key={at} class={group.tone}>
            <Pieces block={group} />
          </h3>
        ) : (
          <p key={at} class={`lead ${group.tone}`}>
            <Pieces block={group} />
          </p>
        ),
      )}
    </article>
  );
}

function groupItems(blocks: readonly Block[]): readonly (Block | Block[])[] {
  const groups: (Block | Block[])[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind !== 'item') groups.push(block);
    else if (Array.isArray(last)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

export function Pieces({ block }: { block: Block }) {
  return (
    <>
      {block.pieces.map((piece, at) =>
        typeof piece === 'string' ? piece : <code key={at}>{piece.code}</code>,
      )}
    </>
  );
}

/** The newest lines of the journal, newest last. */
export function Journal() {
  const lines = part<{ lines: readonly LogLine[] }>('log')?.lines ?? [];
  const shown = searched(lines, ({ text }) => text).slice(-300);
  return (
    <ol class="journal">
      {shown.map(({ at, text, tone, indent }, n) => (
        <li key={n} class={tone}>
          <time class="dim mono">{formatClock(at)}</time>
          <span class={indent > 0 ? 'inner' : ''}>{text}</span>
        </li>
      ))}
    </ol>
  );
}
