import type { RunnableInterface } from '../context/case-context.ts';
import type { Client, Target } from '../../model/target.ts';
import { hasAttribute } from '../../model/declaration.ts';
import type { Case } from '../../suite/suites.ts';
import { registrationNeeds, splitRequirement } from '../../target/registrations.ts';

type RequirementCheck = (name: string, target: Target, client: Client) => string | undefined;

/** Describes what the target lacks for a requirement, by the word before the colon; undefined if nothing. */
const requirementChecks: Readonly<Record<string, RequirementCheck>> = {
  action: (name, { drivers, unattended = [] }) => {
    if (drivers[name] !== undefined) return undefined;
    return unattended.includes(name) ? `an operator at a terminal, or --live, for ${name}` : `a driver for ${name}`;
  },
  client: (name, { clients }) => (clients.some((client) => client.name === name) ? undefined : `a client ${name}`),
  subscriber: (tag, { subscribers }) =>
    subscribers.some(({ tags }) => tags.includes(tag)) ? undefined : `a subscriber ${tag}`,
  'event-endpoint': (_, __, { eventUri }) => (eventUri === undefined ? 'a client with an event endpoint' : undefined),
  'second-key': (_, __, { keys }) => (keys.length > 1 ? undefined : 'a client with two keys'),
  'foreign-code': (_, { carrierCodes }) =>
    (carrierCodes?.foreign.length ?? 0) > 0
      ? undefined
      : 'the code of another carrier: name one under carrier_codes.foreign',
  'wrong-receiver': (_, { receiver }) =>
    receiver.wrongCertificate === undefined
      ? 'a receiver with a wrong certificate: name one under receiver.wrong_certificate'
      : undefined,
  'kid-length': (wanted, { clients }) => {
    const [length = '', name = ''] = wanted.split(':');
    const keys = clients.find((client) => client.name === name)?.keys ?? [];
    return keys.some(({ kid }) => kid.length === Number(length))
      ? undefined
      : `a key of client ${name} whose kid has ${length} characters`;
  },
};

const programProofReason = (proof: Target['proof'], part: string): string | undefined =>
  typeof proof === 'object'
    ? `a program makes the proofs of possession, and only it knows whether they say anything of ${part}`
    : undefined;

const registrationChecks: Readonly<Record<string, RequirementCheck>> = Object.fromEntries(
  Object.entries(registrationNeeds).map(([word, { isMet, words }]): readonly [string, RequirementCheck] => [
    word,
    (name, _, client) => (isMet(name, client) ? undefined : words([name], client)),
  ]),
);

/** Explains why a requirement means nothing for a target, by the word before the colon; otherwise undefined. */
const inapplicableChecks: Readonly<Record<string, RequirementCheck>> = {
  ...registrationChecks,
  'virtual-clock': (_, { clock }) =>
    clock === undefined ? 'the run is in real time, where a second is not exact' : undefined,
  'known-proof-format': (_, { proof }) =>
    typeof proof === 'object' ? 'a program makes the proofs of possession, and only it knows their format' : undefined,
  'proof-of-the-body': (_, { proof }) =>
    proof === 'dpop' || proof === 'jwt'
      ? `a proof of the format ${proof} says nothing of the body`
      : programProofReason(proof, 'the body'),
  'proof-of-the-method': (_, { proof }) =>
    proof === 'jwt' ? 'a proof of the format jwt says nothing of the method' : programProofReason(proof, 'the method'),
};

const createFirstCheck =
  (
    table: Readonly<Record<string, RequirementCheck>>,
  ): ((given: Case, target: Target, client: Client) => string | undefined) =>
  (given, target, client) => {
    for (const need of given.requires) {
      const [word, name] = splitRequirement(need);
      const missing = Object.hasOwn(table, word) ? table[word]?.(name, target, client) : undefined;
      if (missing !== undefined) return missing;
    }
    return undefined;
  };

/** Describes what the target lacks for a case of this client; undefined if nothing. */
export const firstMissing = createFirstCheck(requirementChecks);
/** Explains why a case of this client means nothing for the target; otherwise undefined. */
export const firstInapplicable = createFirstCheck(inapplicableChecks);

/** Explains why a case is not applicable by a feature declared absent; undeclared features count as present. */
export const undeclaredFeature = ({ requires }: Case, { supports }: Target): string | undefined => {
  const feature = requires.find((need) => supports[need] === false);
  return feature === undefined ? undefined : `the carrier declares that it has no ${feature}`;
};

const attributePrefix = 'attribute:';

/** Like `undeclaredFeature` for attributes: those that the target file lists, or the usual ones without a list. */
export function missingAttribute(
  { requires }: Case,
  { attributes }: Target,
  { attributes: ofInterface }: Pick<RunnableInterface, 'attributes'>,
): string | undefined {
  const there = attributes ?? ofInterface.usual;
  const name = requires
    .flatMap((need) => (need.startsWith(attributePrefix) ? [need.slice(attributePrefix.length)] : []))
    .find((one) => !hasAttribute(there, one));
  if (name === undefined) return undefined;
  return attributes === undefined
    ? `no attribute ${name} is declared: it is not among those that a carrier usually has`
    : `the carrier declares its attributes, and ${name} is not among them`;
}
