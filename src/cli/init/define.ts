import { defineCommand } from '../shared/command.ts';
import { text, textOr, texts } from '../shared/inputs.ts';

export const initDefinition = defineCommand({
  name: 'init',
  summary: 'begin with a carrier: a target file to fill in, and keys',
  description:
    'Writes carrier.yaml with every setting explained and a placeholder for each value that only you know, and a key for each client. Overwrites nothing. carrierspec check names each placeholder that is left.',
  args: { dir: textOr('[dir]', 'folder to write into', '.') },
  flags: {
    issuer: text('--issuer <url>', 'discovery issuer; without it, a placeholder'),
    alg: texts(
      '--alg <alg>',
      'an algorithm that the carrier lists (request_object_signing_alg_values_supported): RS256, PS256, ES256, ...; the client two-keys gets a key of each',
    ),
  },
  examples: ['my-carrier', 'my-carrier --issuer https://discovery.carrier.example --alg ES256'],
});
