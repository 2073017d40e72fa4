import type { discoverDefinition } from '../definitions/desk.ts';
import type { Given } from '../shared/command.ts';
import type { Invocation } from '../shared/invocation.ts';
import { deskCommand } from './desk.ts';
import { type AtHand, compileAsked, given, type Inquiry, parsePairs, requireParties } from './inquiry.ts';

type Flags = Given<typeof discoverDefinition>;

function chooseDiscovery(flags: Flags, { target, dry }: AtHand): Inquiry {
  const { client, mccmnc, header } = flags;
  const subscriber = 'consented';
  requireParties({ client, subscriber }, target);
  const differs = given({
    query: mccmnc === undefined ? undefined : { mccmnc },
    headers: parsePairs('--header', header),
  });
  const isUsual = Object.keys(differs).length === 0;
  const steps = [
    { as: 'configuration', http: { to: 'discovery', ...differs }, expect: 'answered' },
    ...(isUsual
      ? [
          { as: 'keys', http: { to: 'jwks' }, expect: 'answered' },
          ...(target.endpoints['event_jwks'] === undefined
            ? []
            : [{ as: 'event-keys', http: { to: 'event_jwks' }, expect: 'answered' }]),
        ]
      : []),
  ];
  return {
    case: compileAsked({ id: 'discover', title: 'The configuration and the keys', client, subscriber, steps }),
    step: 'configuration',
    others: ['keys', 'event-keys'],
    mayBeRefused: !isUsual,
    ...(dry ? { open: 'every command fetches the configuration before it does anything: this one was fetched' } : {}),
    ...(isUsual ? { area: 'discovery' } : {}),
  };
}

/** `carrierspec discover`: the configuration (§4.5) and the keys, with every rule of discovery judged. Gives the exit code. */
export const discoverCommand = (flags: Flags, invocation: Invocation): Promise<number> =>
  deskCommand(flags, invocation, chooseDiscovery);
