// What becomes of one setting or file of another loop, as data. Pure.

/**
 * taken: means the same here. changed: as close as pawl comes, and why. not needed: pawl does it by itself. no counterpart:
 * pawl has nothing for it.
 */
export type Fate = 'taken' | 'changed' | 'not needed' | 'no counterpart';

/** What becomes of one setting. `set`: pawl's settings by name. */
export type Translated = Readonly<{
  fate: Fate;
  why: string;
  set?: Readonly<Record<string, unknown>>;
}>;

/** Values by key, and under `prompts/NAME` the prompts that a person wrote. `home` is what `~` stands for. */
export type Values = Readonly<{
  get(key: string): string | undefined;
  home: string;
  /** They become a project's settings, which may not contain all. */
  isProject: boolean;
}>;

/** What ralphex accepts as true. */
export function isTrue(value = ''): boolean {
  return /^(?:1|t|true|y|yes|on)$/i.test(value);
}

/** What a value becomes; `all` are the values that apply together with it. */
export type Rule = (value: string, all: Values) => Translated;

/** The same meaning under another name. */
export function taken(set: Readonly<Record<string, unknown>>, why = ''): Translated {
  return { fate: 'taken', set, why };
}

/** Another meaning, as close as pawl comes. */
export function changed(set: Readonly<Record<string, unknown>>, why: string): Translated {
  return { fate: 'changed', set, why };
}

/** What pawl does by itself. */
export function notNeeded(why: string): Translated {
  return { fate: 'not needed', why };
}

/** What pawl has nothing for. */
export function missing(why: string): Translated {
  return { fate: 'no counterpart', why };
}
