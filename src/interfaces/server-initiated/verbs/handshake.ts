import { defineStepVerb } from '../../../engine/act/verb.ts';
import { type CaseWith, Unmet } from '../../../engine/context/case-context.ts';
import { endpointUrl } from '../../../engine/context/endpoints.ts';
import type { Observation } from '../../../judge/observation.ts';
import { omitUndefined } from '../../../lib/json.ts';
import { members, word } from '../../../suite/grammar/grammar.ts';
import type { Step } from '../../../suite/suites.ts';
import { type VerbAct, defineVerb } from '../../../suite/verbs/verb.ts';
import { isUnreached, shakeHands, type HandshakeResult, tlsVersions } from '../../../wire/send/handshake.ts';
import { endpoints } from '../endpoints.ts';
import { toSeconds } from '../../../lib/time.ts';

const handshakeDefinition = defineVerb({
  verb: 'handshake',
  description: 'Connect to an endpoint by TLS, send nothing and close.',
  value: members(
    {
      to: word(Object.keys(endpoints), { description: 'An endpoint of the target.' }),
      version: word(tlsVersions, {
        description: 'This version alone, whatever the certificate; else any of today, and the certificate must hold.',
      }),
    },
    { title: 'handshake', required: ['to'] },
  ),
  keys: {},
  sends: false,
  outcomes: [],
  expectations: [],
  members: ['body', 'summary', 'sentAt'],
  compile: ({ value: { to = '', version } }) => ({ to, ...omitUndefined({ version }) }),
  requires: () => ['tls'],
  describe: ({ to, version }) => ({ act: `a connection to the ${to} endpoint by ${version ?? 'TLS'}`, details: [] }),
});

const summarizeHandshake = (shaken: HandshakeResult): string =>
  shaken.connected ? `connected by ${shaken.version}` : `no connection: ${shaken.code} (${shaken.detail})`;

async function runHandshake(
  { to, version }: VerbAct<typeof handshakeDefinition>,
  { name: step }: Step,
  { services, now }: CaseWith<'now', 'endpoints' | 'target'>,
): Promise<Observation> {
  const { target } = services;
  const url = endpointUrl(to, services);
  if (target.proxy !== undefined) throw new Unmet('through a proxy the versions of TLS are not tried');
  const sentAt = toSeconds(now());
  const shaken = await shakeHands(url, { version, trust: target.tls, timeout: target.requestTimeout * 1000 });
  const summary = summarizeHandshake(shaken);
  if (isUnreached(shaken)) throw new Unmet(`step ${step}: ${summary}`);
  return { kind: 'trigger', step, sentAt, done: true, body: { ...shaken }, summary };
}

export const handshake = defineStepVerb(handshakeDefinition, { run: runHandshake });
