import { broken } from './broken.js';

/** Rules of the watch, of alarms and of canaries. */
export default [
  ...broken('src/health/alarms.service.ts', 'e2e alarms', {
    'operators hear first that the whole service is silent': ['!isHeldBack ||', 'true ||'],
    'owners of forms that are off are told of nothing': ["?.level !== 'off'", '!== 0'],
  }),
  ...broken('src/health/finding.ts', 'e2e destination-holds', {
    'a client hears of nothing that is of the account alone': "subject.kind === 'form' && !ofAccount &&",
  }),
  ...broken('src/health/finding.entity.ts', 'e2e alarms', {
    'owners are told of nothing that began long ago': [': since !== null &&', ': false &&'],
  }),
  ...broken('src/health/findings.repository.ts', 'e2e alarms', {
    'owners are told of a silence once': ['isOpen, ...told,', 'isOpen,'],
  }),
  ...broken('src/intake/intake.ts', 'e2e canary-probes', {
    'a probe that the form refuses is no refusal of a visitor': ['.form && !probe &&', '.form &&'],
  }),
  ...broken('src/submissions/storage/probes.service.ts', 'e2e canary-probes', {
    'the header of a probe is for its form alone': ['.toString() !== address', ' === undefined'],
  }),
  ...broken('src/health/watch/signs.ts', 'e2e watch', {
    'spam beside submissions as ever is no turned verdict': ['now.submissions < usual / 2', 'true'],
  }),
  ...broken('src/health/watch/rhythm.ts', 'e2e watch', {
    'a form with a history that is too short is taken for dead at no time': ' || !this.isReady',
  }),
  ...broken('src/health/watch/watcher.ts', 'e2e watch', {
    'a form that is paused is not taken for dead': ["=== 'off' || !isOpen) {", "=== 'off') {"],
    'silence counts from when a form opens again': 'if (wasOff) watch.watchedFrom = now;',
  }),
];
