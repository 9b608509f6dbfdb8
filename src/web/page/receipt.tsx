// The receipt of a run, from the same blocks as report.md.
import type { Block } from '../../report/text/block.ts';
import { part } from './store.ts';

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

export function Pieces({ block }: { block: Block }) {
  return (
    <>
      {block.pieces.map((piece, at) =>
        typeof piece === 'string' ? piece : <code key={at}>{piece.code}</code>,
      )}
    </>
  );
}
