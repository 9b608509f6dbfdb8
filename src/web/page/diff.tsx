// A unified diff as files with their lines.
import { useState } from 'preact/hooks';
import { type DiffFile, parseDiff } from '../parse-diff.ts';
import type { DiffText } from '../view.ts';
import { PlusMinus } from './small.tsx';

const mostLines = 400;

/** What pawl ticked in the plan comes last, and closed. */
export function Diff({ diff: { text, leftOut, outside }, plan }: { diff: DiffText; plan: string }) {
  const files = parseDiff(text).toSorted((a, b) => Number(a.name === plan) - Number(b.name === plan));
  if (files.length === 0) return <p class="dim">Nothing differs.</p>;
  return (
    <div class="stack">
      {files.map((file) => (
        <File
          key={file.name}
          file={file}
          isOpen={file.name !== plan && file.lines.length < mostLines}
          isOutside={outside.includes(file.name)}
        />
      ))}
      {leftOut > 0 ? <p class="dim">and {leftOut} more characters: see it with pawl diff</p> : null}
    </div>
  );
}

type FileProps = Readonly<{ file: DiffFile; isOpen: boolean; isOutside: boolean }>;

function File({ file, isOpen, isOutside }: FileProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? file.lines : file.lines.slice(0, mostLines);
  return (
    <details open={isOpen}>
      <summary>
        <span class="mono">{file.name}</span> <PlusMinus plus={file.added} minus={file.removed} />{' '}
        {isOutside ? <span class="flag">not in files:</span> : null}
      </summary>
      <DiffLines lines={shown} />
      {shown.length < file.lines.length ? (
        <button type="button" onClick={() => setWhole(true)}>
          {file.lines.length - shown.length} more lines
        </button>
      ) : null}
    </details>
  );
}

const classes: Readonly<Record<string, string>> = { '@': 'dim', '+': 'added', '-': 'removed' };

export function DiffLines({ lines }: { lines: readonly string[] }) {
  return (
    <pre class="output diff" tabIndex={0}>
      {lines.map((line, at) => (
        <span key={at} class={classes[line.charAt(0)]}>
          {`${line}\n`}
        </span>
      ))}
    </pre>
  );
}
