import type { Json } from '../../lib/json.ts';
import { literal } from '../../suite/compile/generated.ts';
import { secretIn } from './values.ts';
import type { tenureDefinition } from '../definitions/desk.ts';
import type { Given } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { deskCommand } from './desk.ts';
import { type AtHand, compileAsked, given, type Inquiry, parseKey, parsePairs, requireParties } from './inquiry.ts';

type Flags = Given<typeof tenureDefinition>;

function proofOf({ proof, key }: Flags): Json | undefined {
  if (proof !== undefined && key !== undefined) throw usageError('--proof and --key: a text has no key');
  if (key !== undefined) return { key: parseKey(key) };
  if (proof === undefined) return undefined;
  return proof === '' ? { absent: true } : { value: literal(proof) };
}

function chooseTenure(flags: Flags, { target }: AtHand): Inquiry {
  const { client, subscriber } = flags;
  requireParties(flags, target);
  const differs = given({
    members: parsePairs('--member', flags.member),
    drop: [...flags.drop],
    headers: parsePairs('--header', flags.header),
    proof: proofOf(flags),
  });
  // Of another subscriber it is not known whether there is a tenure to tell; a client may not be enabled for it (UT-004).
  const isEnabled = target.clients.find(({ name }) => name === client)?.flags['usertraits_enabled'] === true;
  const isUsual = Object.keys(differs).length === 0 && isEnabled && subscriber === 'consented';
  const expect = isUsual ? { rule: 'UT-001', outcome: 'accepted' } : 'answered';
  const steps = [{ as: 'query', usertrait: differs, expect }];
  return {
    case: compileAsked({ id: 'tenure', title: 'The SIM tenure of a subscriber', client, subscriber, steps }),
    secrets: secretIn('proof', flags.proof),
    step: 'query',
    mayBeRefused: !isUsual,
  };
}

/** `carrierspec tenure`: one query of §4.7, with the proof of the target, judged. Gives the exit code. */
export const tenureCommand = (flags: Flags, invocation: Invocation): Promise<number> =>
  deskCommand(flags, invocation, chooseTenure);
