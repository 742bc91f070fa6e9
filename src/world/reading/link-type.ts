/**
 * A typed relation, named from the object that states it to the one that is stated: the Pod is `owned-by` its ReplicaSet,
 * `runs-on` its Node, `mounts` a claim, `uses` a Secret or ConfigMap, `pulls` from a Registry, and `depends-on` the Services that
 * its variables and arguments name, those that there are, and `asks` the hosts outside that these name. `replaces`: a Pod created to take
 * the place of a lost one, to the Node the lost one ran on. The rest by who states it: a Service, disruption budget or network
 * policy `selects` Pods, and `fronts` the workloads whose Pods it would select; an EndpointSlice `backs` its Service; an
 * Ingress or route `routes-to` Services and is `attached-to` Gateways; an autoscaler `scales` a workload; a claim `binds` a
 * volume; a VolumeAttachment `attaches` one to a Node and names both; claims, volumes, Ingresses, Gateways and Pods are
 * `of-class`; a class, volume or VolumeAttachment is `driven-by` a CSI driver; a CSINode or the statistics of a kubelet
 * `describes` a Node; a webhook configuration or
 * APIService `calls` a Service; a quota or limit range `limits` its Namespace; a custom resource is `defined-by` its
 * definition, `manages` what it keeps as it is in Git, `makes` a Secret and `uses` what its spec refers to; a policy binding `applies` a policy. A role binding `grants` its role, and grants to accounts and
 * groups. What somebody outside fires `alerts` what its labels name.
 */
export type LinkType =
  | 'owned-by'
  | 'replaces'
  | 'runs-on'
  | 'mounts'
  | 'uses'
  | 'pulls'
  | 'depends-on'
  | 'asks'
  | 'selects'
  | 'fronts'
  | 'backs'
  | 'routes-to'
  | 'attached-to'
  | 'scales'
  | 'binds'
  | 'attaches'
  | 'of-class'
  | 'driven-by'
  | 'calls'
  | 'limits'
  | 'defined-by'
  | 'applies'
  | 'describes'
  | 'alerts'
  | 'manages'
  | 'makes'
  | 'grants';
