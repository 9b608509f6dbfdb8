// How far the checks speak for tasks.
import { formatCount } from './figure.ts';

type ProofCounts = Readonly<Record<'total' | 'proven' | 'passed' | 'unchecked', number>>;

export function formatProofs({ total, proven, passed, unchecked }: ProofCounts): string {
  return [
    `${proven} of ${formatCount(total, 'task')} proven`,
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(unchecked > 0 ? [`${unchecked} unchecked`] : []),
  ].join(', ');
}
