import { whyNot } from '../../lib/errors.ts';
import type { Json } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import { readTextOf } from '../../lib/read-file.ts';
import type { Target } from '../../model/target.ts';
import { literal } from '../../suite/compile/suite.ts';
import { requestFlags, sendDefinition } from '../definitions/send.ts';
import { nameIn, usageError } from '../shared/inputs.ts';
import { takeFromCase } from './from-case.ts';
import {
  type AtHand,
  compileAsked,
  given,
  isGiven,
  type Inquiry,
  parseKey,
  parsePairs,
  requireParties,
  type SendFlags,
} from './inquiry.ts';

function readBody(file: string): string {
  try {
    return literal(readTextOf(file, 'body'));
  } catch (cause) {
    throw usageError(`--raw: ${file} cannot be read: ${whyNot('read', cause)}`);
  }
}

/** The differences that the flags say. Without flags there is none. */
const differenceOf = (shape: SendFlags): Json =>
  given({
    claims: parsePairs('--claim', shape.claim),
    drop: [...shape.drop],
    header: parsePairs('--header', shape.header),
    dropHeader: [...shape.dropHeader],
    beside: parsePairs('--param', shape.param),
    key: shape.key === undefined ? undefined : parseKey(shape.key),
    alg: shape.alg,
    tamper: shape.tamper,
    text: shape.raw === undefined ? undefined : readBody(shape.raw),
    form: shape.form ? true : undefined,
  });

/** The end of the wait: half a minute after the time that the carrier granted, for the error callback of a timeout. */
function untilOf(wait: true | string): string {
  return wait === true ? 'request + request.granted + 30s' : `request + ${wait}`;
}

/** The keys that verify an id token, and the algorithms the carrier says it signs with. */
const lookUps = ({ discovery }: Target): readonly Json[] => [
  { http: { to: 'jwks' } },
  ...(discovery === undefined ? [] : [{ http: { to: 'discovery' } }]),
];

function stepsOf(shape: SendFlags, target: Target): readonly Json[] {
  const { wait, approve, deny } = shape;
  return [
    { as: 'request', authorize: differenceOf(shape), expect: 'answered' },
    ...(approve ? [{ as: 'approval', trigger: 'approve' }] : []),
    ...(deny ? [{ as: 'denial', trigger: 'deny' }] : []),
    ...(wait === undefined
      ? []
      : [
          { as: 'result', await: 'callback', until: untilOf(wait), expect: 'delivered', control: true },
          ...lookUps(target),
        ]),
  ];
}

/** The request that the flags describe, or that of a case. Throws with the first mistake in the flags. */
export function chooseRequest(flags: SendFlags, { suites, target }: AtHand): Inquiry {
  const { from, step, client, subscriber, approve, deny, wait } = flags;
  if (from === undefined) {
    if (step !== undefined) throw usageError('--step: needs --from');
    if (approve && deny) throw usageError('--approve and --deny: the subscriber does one or the other');
    requireParties(flags, target);
    const steps = stepsOf(flags, target);
    return {
      case: compileAsked({ id: 'send', title: 'One request object', client, subscriber, steps }),
      step: 'request',
      mayBeRefused: true,
      ...(wait === undefined ? {} : { awaits: 'callback' as const }),
    };
  }
  const other = requestFlags.find((name) => isGiven(flags[name]));
  if (other !== undefined) {
    throw usageError(`${nameIn(sendDefinition.flags[other].spec)}: with --from the request is that of the case`);
  }
  return takeFromCase({ from, ...defined({ step }) }, suites);
}
