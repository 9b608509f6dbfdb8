// Each check of a task in each series.
import type { AttemptView, CheckView, Evidence } from '../view.ts';

export function Matrix({ seen: { attempts } }: { seen: Evidence }) {
  const series = listSeries(attempts.flatMap(seriesOf)).slice(-mostSeries);
  const names = new Map(series.flatMap(({ checks }) => checks.map(({ command, name }) => [command, name])));
  if (series.length < 3 || names.size < 2) return null;
  return (
    <div class="scroll" tabIndex={0}>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">check</th>
            {series.map(({ name }, at) => (
              <th scope="col" key={at}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...names].map(([command, name]) => (
            <tr key={command}>
              <th scope="row">
                <code title={command}>{name}</code>
              </th>
              {series.map(({ checks }, at) => {
                const check = checks.findLast((one) => one.command === command);
                return (
                  <td key={at} class={check && `tone ${toneOf(check)}`} title={check?.result}>
                    {check ? (check.result === 'green' ? '✓' : '✗') : '·'}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const mostSeries = 12;

type Series = Readonly<{ name: string; checks: readonly CheckView[] }>;

function listSeries(all: readonly (readonly CheckView[])[]): readonly Series[] {
  let turns = 0;
  return all.flatMap((checks): Series[] => {
    const [first] = checks;
    if (!first) return [];
    if (first.when === 'after') turns += 1;
    return [{ name: first.when === 'after' ? `turn ${turns}` : first.when, checks }];
  });
}

function seriesOf({ checks, corrections }: AttemptView): readonly (readonly CheckView[])[] {
  const all: CheckView[][] = [];
  for (const check of checks) {
    const last = all.at(-1)?.at(-1);
    const isCut = corrections.some(({ at }) => last !== undefined && last.at <= at && at <= check.at);
    if (last && !isCut && last.when === check.when) all.at(-1)?.push(check);
    else all.push([check]);
  }
  return all;
}

export function toneOf({ result, knownRed, isExpected }: CheckView): 'good' | 'bad' | 'warn' | 'plain' {
  if (result === 'green') return 'good';
  if (result === 'interrupted') return 'plain';
  return knownRed || isExpected ? 'warn' : 'bad';
}
