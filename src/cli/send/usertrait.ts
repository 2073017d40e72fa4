import type { Json } from '../../lib/json.ts';
import { literal } from '../../suite/compile/suite.ts';
import { secretIn } from './values.ts';
import { usageError } from '../shared/inputs.ts';
import {
  type AtHand,
  compileAsked,
  given,
  type Inquiry,
  parseKey,
  parsePairs,
  requireParties,
  type SendFlags,
} from './inquiry.ts';

function proofOf({ proof, key }: SendFlags): Json | undefined {
  if (proof !== undefined && key !== undefined) throw usageError('--proof and --key: a text has no key');
  if (key !== undefined) return { key: parseKey(key) };
  if (proof === undefined) return undefined;
  return proof === '' ? { absent: true } : { value: literal(proof) };
}

/** One query of §4.7, with the proof of the target. */
export function chooseTenure(flags: SendFlags, { target }: AtHand): Inquiry {
  const { client, subscriber } = flags;
  requireParties(flags, target);
  const differs = given({
    members: parsePairs('--param', flags.param),
    drop: [...flags.drop],
    headers: parsePairs('--http-header', flags.httpHeader),
    proof: proofOf(flags),
  });
  // Of another subscriber it is not known whether there is a tenure to tell; a client may not be enabled for it (UT-004).
  const isEnabled = target.clients.find(({ name }) => name === client)?.flags['usertraits_enabled'] === true;
  const isUsual = Object.keys(differs).length === 0 && isEnabled && subscriber === 'consented';
  const expect = isUsual ? { rule: 'UT-001', outcome: 'accepted' } : 'answered';
  const steps = [{ as: 'query', usertrait: differs, expect }];
  return {
    case: compileAsked({ id: 'usertrait', title: 'The SIM tenure of a subscriber', client, subscriber, steps }),
    secrets: secretIn('proof', flags.proof),
    step: 'query',
    mayBeRefused: !isUsual,
  };
}
