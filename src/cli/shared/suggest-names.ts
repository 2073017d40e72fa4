import { nearest } from '../../suite/suggest.ts';

/** What a selector or a name that matches nothing may have meant; case does not count, as in selectors. */
export function suggestNames(wrong: string, names: readonly string[]): string[] {
  const spelled = new Map(names.map((name) => [name.toLowerCase(), name]));
  const near = spelled.get(nearest(wrong.toLowerCase(), spelled.keys()) ?? '');
  return near === undefined ? [] : [near];
}
