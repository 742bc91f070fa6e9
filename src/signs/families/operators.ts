import type { SignRow } from '../row.ts';

/** What those say who work with the objects of the cluster, and what their machine or their supervisor does not grant. */
export const operatorRows: readonly SignRow[] = [
  {
    kind: 'KindMissing',
    needs: ['no matches for kind'],
    pattern: /\bno matches for kind \\?"(?<name>\w{1,80})\\?"/,
    source: 'client-go RESTMapper: the definition is not installed, or no longer in that version',
  },
  {
    kind: 'KindMissing',
    needs: ['could not find the requested resource'],
    pattern:
      /\bthe server could not find the requested resource(?: \((?:get|post|put|patch) (?<name>[\w.-]{1,120})\))?/,
    source: 'client-go: 404 of a group that the API server does not know',
  },
  {
    kind: 'CacheNotSynced',
    needs: ['caches to sync', 'cache to sync', 'cache to be synced', 'caches to be synced'],
    pattern:
      /\bfailed to wait for (?<name>[\w./-]{1,100}) caches? to sync\b|\btimed out waiting for (?:the |all )?caches? to (?:be synced|sync)\b|\b[Cc]ould not wait for [Cc]aches? to sync\b/,
    source: 'controller-runtime; client-go informers',
  },
  {
    kind: 'HostSettingTooLow',
    needs: ['is too low'],
    pattern:
      /(?<![\w.])(?<name>(?:vm|fs|net|kernel)\.[\w.]{2,60}) \[\d{1,12}\] is too low\b|\b(?<name>max (?:file descriptors|number of threads)) \[\d{1,12}\] for \w{1,40} [^,]{1,60}is too low\b/,
    source: 'Elasticsearch and OpenSearch bootstrap checks',
  },
  {
    kind: 'WorkerTimedOut',
    needs: ['worker timeout', 'timed out worker', 'harakiri', 'hard time limit'],
    pattern:
      /\bWORKER TIMEOUT \(pid|\bTerminating timed out worker\b|\bHARAKIRI (?:ON|!)|\bHard time limit \(\d{1,8}(?:\.\d)?s?\) exceeded\b/,
    source: 'gunicorn; Puma; uWSGI; Celery',
  },
  {
    kind: 'ModuleMissing',
    needs: ['initialize nvml', 'start nvml'],
    pattern: /\bFailed to (?:initialize|start) (?<name>NVML)\b|\bFailed to start (?<name>nvml)\b/,
    source: 'NVIDIA device plug-ins: the driver of the machine is not there for the container',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['pod cidr not assigned'],
    pattern: /\bpod cidr not assigned\b/,
    source: 'flannel, kube-router: the controller manager gives no addresses to Nodes',
  },
];
