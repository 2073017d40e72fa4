import {
  type AtHand,
  compileAsked,
  given,
  type Inquiry,
  parsePairs,
  requireParties,
  type SendFlags,
} from './inquiry.ts';

/** The configuration (§4.5) and the keys, with every rule of discovery judged. */
export function chooseDiscovery(flags: SendFlags, { target, dry }: AtHand): Inquiry {
  const { client, subscriber, mccmnc, httpHeader } = flags;
  requireParties(flags, target);
  const differs = given({
    query: mccmnc === undefined ? undefined : { mccmnc },
    headers: parsePairs('--http-header', httpHeader),
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
    case: compileAsked({ id: 'discovery', title: 'The configuration and the keys', client, subscriber, steps }),
    step: 'configuration',
    others: ['keys', 'event-keys'],
    mayBeRefused: !isUsual,
    ...(dry ? { open: 'every command fetches the configuration before it does anything: this one was fetched' } : {}),
    ...(isUsual ? { area: 'discovery' } : {}),
  };
}

/** A set of keys (§2.9) alone. */
export const chooseKeys =
  (to: 'jwks' | 'event_jwks') =>
  (flags: SendFlags, { target }: AtHand): Inquiry => {
    const { client, subscriber, httpHeader } = flags;
    requireParties(flags, target);
    const headers = parsePairs('--http-header', httpHeader);
    const steps = [{ as: 'keys', http: { to, ...given({ headers }) }, expect: 'answered' }];
    return {
      case: compileAsked({ id: 'keys', title: 'A set of keys', client, subscriber, steps }),
      step: 'keys',
      mayBeRefused: httpHeader.length > 0,
    };
  };
