// What a look gives, or what holds where it throws: a file that is gone or unreadable, a text of another form.

/** Every error counts as such: `look` does one small thing, which has no bugs of pawl's to hide. */
export function orElse<T, F>(look: () => T, otherwise: F): T | F {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
