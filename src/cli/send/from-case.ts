import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import type { Case, Step, Suites } from '../../suite/suites.ts';
import type { Inquiry } from './inquiry.ts';
import { hintFor } from '../shared/choose.ts';
import { usageError } from '../shared/inputs.ts';

/** The step sends a request, and judges what comes back. */
function isSending({ act }: Step): boolean {
  const verb = serverInitiated.verbs.find((one) => one.verb === act.verb);
  return verb?.outcomes.includes('accepted') === true;
}

function findCase(id: string, { cases }: Suites): Case {
  const found = cases.find((one) => one.id === id) ?? cases.find((one) => one.id.split('/')[0] === id);
  if (found !== undefined) return found;
  const names = cases.flatMap((one) => [one.id, one.id.split('/')[0] ?? one.id]);
  throw usageError(`--from: there is no case ${id}; ${hintFor(id, names, 'carrierspec list --cases has them')}`);
}

/** The step that is asked for, else the first that judges a rule, else the first. */
function findStep({ id, steps }: Case, name: string | undefined): Step {
  const sending = steps.filter(isSending);
  const found =
    name === undefined
      ? (sending.find(({ control }) => !control) ?? sending[0])
      : sending.find((step) => step.name === name);
  if (found !== undefined) return found;
  if (name === undefined) throw usageError(`--from: no step of ${id} sends a request`);
  throw usageError(
    `--step: ${id} has no step ${name} that sends a request; it has ${sending.map((one) => one.name).join(', ')}`,
  );
}

/** A step of a case, with the steps before it, which it may build on. Throws where there is no such case or step. */
export function takeFromCase(given: { readonly from: string; readonly step?: string }, suites: Suites): Inquiry {
  const whole = findCase(given.from, suites);
  const step = findStep(whole, given.step);
  const steps = whole.steps.slice(0, whole.steps.indexOf(step) + 1);
  return { case: { ...whole, steps, watched: false, alone: true }, step: step.name, mayBeRefused: true };
}
