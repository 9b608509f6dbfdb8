// The one door for durable effects (journal, git, files, forge), so that tests can number them and stop the program at
// each.

export type EffectKind = 'journal' | 'git' | 'file' | 'forge';

/** `number` counts from 1 within the process. */
export type EffectPoint = Readonly<{ number: number; kind: EffectKind; label: string }>;

export type Around = <T>(point: EffectPoint, act: () => T) => T;

let count = 0;
let around: Around = (_, act) => act();

/** For fault injection; replaces any earlier wrapper. */
export function surroundEffects(by: Around): void {
  around = by;
}

/** Replaces any wrapper. */
export function observeEffects(observer: (point: EffectPoint) => void): void {
  surroundEffects((point, act) => {
    observer(point);
    return act();
  });
}

export function effect<T>(kind: EffectKind, label: string, act: () => T): T {
  count += 1;
  return around({ number: count, kind, label }, act);
}
