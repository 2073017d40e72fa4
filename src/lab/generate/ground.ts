import { readSuites, readWrittenSuites } from '../../setup/read-files.ts';
import type { TargetAbilities } from '../exploration/abilities.ts';
import type { GenerateGround } from './files.ts';

/** A target that can do everything without a person. Cases state their own requirements, which other targets may lack. */
const everyAbility: TargetAbilities = {
  approve: true,
  deny: true,
  look: true,
  binding: true,
  userinfo: true,
  untick: true,
  wait: true,
  cancel: true,
  consent: true,
  moveSim: true,
  rotateKeys: true,
  severalPending: true,
  secondClient: true,
  floods: true,
  silent: true,
  codes: true,
  proofs: true,
  swapSim: true,
  hintToken: true,
  foreignCode: true,
  byNumber: true,
  byNumberOfMain: true,
  latency: { event: 0, callback: 0, simSwap: 0 },
  tagged: () => true,
  can: () => true,
  runs: () => true,
};

export const readGround = async (): Promise<GenerateGround> => ({
  suites: await readSuites([]),
  written: await readWrittenSuites([]),
  abilities: everyAbility,
});
