import { defineCommand } from '../shared/command.ts';
import { parseChoice, parsed, parseUrl, text, texts, whole } from '../shared/inputs.ts';

const port = { from: 0, to: 65_535 };

export const carrierDefinition = defineCommand({
  name: 'carrier',
  summary: 'start the reference carrier alone',
  args: {},
  flags: {
    config: text('--config <file>', 'simulator file: clients, subscribers and approvals of your own'),
    port: whole('--port <n>', 'port of its endpoints; 0 takes any; default 8600', port),
    adminPort: whole('--admin-port <n>', 'port of its admin API; default 8601', port),
    receiver: parsed(
      '--receiver <url>',
      'URL that the registered notification URIs begin with; default http://127.0.0.1:8602',
      (given) => parseUrl('--receiver', given),
    ),
    clock: parsed('--clock <kind>', 'real or virtual; default real', parseClock),
    faults: texts('--fault <name>', 'a fault to have'),
  },
  examples: ['', '--config simulator.yaml', '--clock virtual --fault jti-never-kept'],
});

export function parseClock(given: string): 'real' | 'virtual' {
  return parseChoice('--clock', given, { of: ['real', 'virtual'], formerly: { driven: 'virtual' } });
}
