import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { type Json, omitUndefined } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import { escapeTemplates } from '../../suite/compile/suite.ts';
import type { Case, Step, Suites } from '../../suite/suites.ts';
import { hintFor } from '../shared/choose.ts';
import { usageError } from '../shared/inputs.ts';
import {
  type InquiryContext,
  compileInquiry,
  dropEmpty,
  type Inquiry,
  inputLabel,
  isFlagSet,
  parseKey,
  parsePairs,
  type SendFlags,
} from './inquiry.ts';

/** Members of a message that a request object takes. */
const requestMembers = ['drop_header', 'parameters', 'alg', 'body', 'form'] as const;

/** Flags and members that describe a request object; `--from` excludes them. */
export const requestFlags = [
  'claim',
  'drop',
  'header',
  'key',
  'tamper',
  ...requestMembers,
  'approve',
  'deny',
  'wait',
] as const satisfies readonly (keyof SendFlags)[];

/** Differences from a valid request object; empty without flags. */
const objectDifference = (shape: SendFlags): Json =>
  dropEmpty({
    claims: parsePairs('--claim', shape.claim),
    drop: [...shape.drop],
    header: parsePairs('--header', shape.header),
    dropHeader: [...shape.drop_header],
    beside: shape.parameters,
    key: shape.key === undefined ? undefined : parseKey(shape.key),
    alg: shape.alg,
    tamper: shape.tamper,
    text: shape.body === undefined ? undefined : escapeTemplates(shape.body),
    form: shape.form ? true : undefined,
  });

/** End of the wait; by default 30 s after expiry, to allow for the error callback of a timeout. */
function waitEnd(wait: true | string): string {
  return wait === true ? 'request + request.granted + 30s' : `request + ${wait}`;
}

/** Steps that fetch the keys for an id token and the carrier's declared algorithms. */
const lookUpSteps = ({ discovery }: Target): readonly Json[] => [
  { http: { to: 'jwks' } },
  ...(discovery === undefined ? [] : [{ http: { to: 'discovery' } }]),
];

function requestSteps(shape: SendFlags, target: Target): readonly Json[] {
  const { wait, approve, deny } = shape;
  return [
    { as: 'request', authorize: objectDifference(shape), expect: 'answered' },
    ...(approve ? [{ as: 'approval', trigger: 'approve' }] : []),
    ...(deny ? [{ as: 'denial', trigger: 'deny' }] : []),
    ...(wait === undefined
      ? []
      : [
          { as: 'result', await: 'callback', until: waitEnd(wait), expect: 'delivered', control: true },
          ...lookUpSteps(target),
        ]),
  ];
}

function isSending({ act }: Step): boolean {
  const verb = serverInitiated.verbs.find((one) => one.verb === act.verb);
  return verb?.outcomes.includes('accepted') === true;
}

function findCase(id: string, { cases }: Suites): Case {
  const found = cases.find((one) => one.id === id) ?? cases.find((one) => one.id.split('/')[0] === id);
  if (found !== undefined) return found;
  const names = cases.flatMap((one) => [one.id, one.id.split('/')[0] ?? one.id]);
  throw usageError(`--from: there is no case ${id}; ${hintFor(id, names, 'carrierspec list --kind case has them')}`);
}

/** The named step, else the first that judges a rule, else the first that sends a request. */
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

/** Takes a step and those before it, which it may need. Throws if the case or step is unknown. */
function takeFromCase(given: { readonly from: string; readonly step?: string }, suites: Suites): Inquiry {
  const whole = findCase(given.from, suites);
  const step = findStep(whole, given.step);
  const steps = whole.steps.slice(0, whole.steps.indexOf(step) + 1);
  return { case: { ...whole, steps, watched: false, alone: true }, step: step.name, mayBeRefused: true };
}

/** Inquiry for the request described by the flags, or for that of a case. Throws the first mistake in the flags. */
export function chooseRequest(flags: SendFlags, { suites, target }: InquiryContext): Inquiry {
  const { from, step, approve, deny, wait } = flags;
  if (from === undefined) {
    if (step !== undefined) throw usageError('--step: needs --from');
    if (approve && deny) throw usageError('--approve and --deny exclude each other: the subscriber answers once');
    return compileInquiry(flags, {
      id: 'send',
      title: 'One request object',
      steps: requestSteps(flags, target),
      step: 'request',
      mayBeRefused: true,
      ...(wait === undefined ? {} : { awaits: 'callback' as const }),
    });
  }
  const other = requestFlags.find((name) => isFlagSet(flags[name]));
  if (other !== undefined) {
    throw usageError(`${inputLabel(other)}: with --from the case defines the request, so leave this flag out`);
  }
  return takeFromCase({ from, ...omitUndefined({ step }) }, suites);
}
