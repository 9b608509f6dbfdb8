// The one door of durable effects: every journal append, git command and file change passes here with a label, so that tests
// can number them and stop the program at each. In production it does nothing else.

/** By which way it lasts. */
export type EffectKind = 'journal' | 'git' | 'file';

/** One durable effect that is about to happen; `number` counts from 1 within the process. */
export type EffectPoint = Readonly<{ number: number; kind: EffectKind; label: string }>;

/** Does the act of an effect, and whatever it wants before and after. */
export type Around = <T>(point: EffectPoint, act: () => T) => T;

let count = 0;
let around: Around = (_, act) => act();

/** Sets what surrounds each effect. Meant for fault injection; there is one per process. */
export function surroundEffects(by: Around): void {
  around = by;
}

/** Sets who is told before each effect, in place of any other. */
export function observeEffects(observer: (point: EffectPoint) => void): void {
  surroundEffects((point, act) => {
    observer(point);
    return act();
  });
}

/** Does one durable effect. */
export function effect<T>(kind: EffectKind, label: string, act: () => T): T {
  count += 1;
  return around({ number: count, kind, label }, act);
}
