import { defineCommand } from '../shared/command.ts';
import { text, textOr, texts } from '../shared/inputs.ts';

export const initDefinition = defineCommand({
  name: 'init',
  summary: 'begin with a carrier: a target file to fill in, keys, and what to register',
  description:
    'Writes carrier.yaml with every setting explained, and a key for each client; prints the public keys and the URIs to register with the carrier. Overwrites nothing.',
  args: { dir: textOr('[dir]', 'folder to write into', '.') },
  flags: {
    carrier: textOr('--carrier <name>', 'name of the carrier, as reports show it', 'Carrier under test'),
    mccmnc: textOr('--mccmnc <code>', 'carrier code of the subscribers', '001010'),
    issuer: text('--issuer <url>', 'discovery issuer; without it, from the environment'),
    receiver: textOr('--receiver <url>', 'URL under which the carrier reaches the receiver', 'http://127.0.0.1:8602'),
    foreign: texts(
      '--foreign <code>',
      'carrier code of another carrier, which discovery must not answer with this one',
    ),
    alg: texts(
      '--alg <alg>',
      'an algorithm that the carrier lists (request_object_signing_alg_values_supported): RS256, PS256, ES256, ...; the client two-keys gets a key of each',
    ),
    client: texts(
      '--client <role>',
      'a client to begin with: main (default), second, two-keys, privileged, plain, secret-only, disabled',
    ),
  },
  examples: [
    'my-carrier',
    'my-carrier --issuer https://discovery.carrier.example --receiver https://sp.example --client main --client second',
  ],
});
