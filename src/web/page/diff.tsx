// A unified diff as files with added, removed and context lines.
import { useState } from 'preact/hooks';
import { type DiffFile, parseDiff } from './parse-diff.ts';

/** How many lines of a file are shown until more are requested. */
const mostLines = 400;

export function Diff({ text, leftOut }: { text: string; leftOut: number }) {
  const files = parseDiff(text);
  if (files.length === 0) return <p class="dim">Nothing differs.</p>;
  return (
    <div class="diff">
      {files.map((file) => (
        <File key={file.name} file={file} />
      ))}
      {leftOut > 0 ? <p class="dim">and {leftOut} more characters: see it with pawl diff</p> : null}
    </div>
  );
}

function File({ file }: { file: DiffFile }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? file.lines : file.lines.slice(0, mostLines);
  return (
    <details open={file.lines.length < mostLines}>
      <summary>
        <span class="mono">{file.name}</span> <span class="plus">+{file.added}</span>{' '}
        <span class="minus">−{file.removed}</span>
      </summary>
      <pre tabIndex={0}>
        {shown.map((line, at) => (
          <span key={at} class={classOf(line)}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
      {shown.length < file.lines.length ? (
        <button type="button" onClick={() => setWhole(true)}>
          {file.lines.length - shown.length} more lines
        </button>
      ) : null}
    </details>
  );
}

export function classOf(line: string): string {
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'around';
}
