// The one door for durable effects: every journal append, git command, file change and change on a
// forge passes through here with a label, so
// that tests can number them and stop the program at each. In production it only counts.

export type EffectKind = 'journal' | 'git' | 'file' | 'forge';

/** A durable effect that is about to happen; `number` counts from 1 within the process. */
export type EffectPoint = Readonly<{ number: number; kind: EffectKind; label: string }>;

/** Runs an effect, and whatever should happen before and after it. */
export type Around = <T>(point: EffectPoint, act: () => T) => T;

let count = 0;
let around: Around = (_, act) => act();

/** Sets what wraps every effect in this process, replacing any earlier wrapper. For fault injection. */
export function surroundEffects(by: Around): void {
  around = by;
}

/** Sets a function that is called before each effect, replacing any earlier wrapper. */
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
