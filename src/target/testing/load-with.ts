import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTarget } from '../load.ts';

export type WorkbenchTarget = ReturnType<typeof loadTarget>;

/** Temporary folder for the target file of one test. */
interface Workbench {
  readonly folder: string;
  readonly write: (name: string, content: string) => void;
  /** Loads a target file with this content. */
  readonly loadText: (text: string, env?: Readonly<Record<string, string>>) => WorkbenchTarget;
  /** Loads a valid target with additional members for its client and for the file; JSON is YAML. */
  readonly loadWith: (
    client: Readonly<Record<string, unknown>>,
    rest?: Readonly<Record<string, unknown>>,
    env?: Readonly<Record<string, string>>,
  ) => WorkbenchTarget;
  readonly remove: () => void;
}

export function createWorkbench(): Workbench {
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-target-'));
  const write: Workbench['write'] = (name, content) => writeFileSync(join(folder, name), content);
  const loadText: Workbench['loadText'] = (text, env = {}) => {
    write('carrier.yaml', text);
    return loadTarget({ file: join(folder, 'carrier.yaml'), env, interface: testedInterface });
  };
  return {
    folder,
    write,
    loadText,
    loadWith: (client, rest = {}, env = {}) => {
      const document = {
        carrier: 'A carrier',
        mccmnc: '001010',
        endpoints: { server_initiated: 'https://op.carrier.test/si' },
        clients: {
          main: { client_id: 'ccid-1', redirect_uris: ['https://sp.test/cb'], notification_uris: [], ...client },
        },
        subscribers: { first: { tags: ['consented'], subs: { main: '001010-a' } } },
        ...rest,
      };
      return loadText(JSON.stringify(document, undefined, 2), env);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export const problemCodes = ({ problems }: WorkbenchTarget): readonly string[] => problems.map(({ code }) => code);
