import { isConclusive } from '../../model/verdict.ts';
import type { Result } from '../../model/result.ts';
import type { Judges } from './lines.ts';

/** Which cases of a result ran, and in which of them something was found, by rule. */
export function judgesOf({ cases, invariants }: Pick<Result, 'cases' | 'invariants'>): Judges {
  const against = new Map<string, string[]>();
  const note = (rule: string, id: string | undefined): void => {
    const known = against.get(rule);
    if (id === undefined || known?.includes(id) === true) return;
    if (known === undefined) against.set(rule, [id]);
    else known.push(id);
  };
  const ran = new Set<string>();
  for (const { id, verdict, findings } of cases) {
    if (isConclusive(verdict)) ran.add(id);
    for (const { rule } of findings) note(rule, id);
  }
  for (const { findings } of invariants) for (const { rule, seenIn } of findings) note(rule, seenIn);
  return { ran, against };
}
