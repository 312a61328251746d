//! A real Slurm on this machine: `munged`, `slurmctld` and two nodes, as root, on loopback, without systemd and cgroups.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const NODES: [&str; 2] = ["n0", "n1"];

/// A cluster that ends with the test, also when the test fails.
pub(crate) struct Cluster {
    folder: PathBuf,
    /// In the order in which they were started.
    daemons: Vec<(String, Child)>,
}

impl Cluster {
    /// Starts a cluster in an empty folder; `None`, with a line that says why, where that is not possible.
    pub(crate) fn start(folder: &Path) -> Option<Self> {
        for program in ["munged", "slurmctld", "slurmd", "sbatch", "setpriv"] {
            if !is_there(program) {
                eprintln!("skipped: {program} is not installed");
                return None;
            }
        }
        if !fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
            eprintln!("skipped: a cluster on one machine needs root");
            return None;
        }
        for inner in ["run", "log", "state", "spool.n0", "spool.n1"] {
            fs::create_dir_all(folder.join(inner)).expect("a folder for the cluster");
        }
        let mut cluster = Self { folder: folder.to_owned(), daemons: Vec::new() };
        fs::write(cluster.conf(), cluster.settings()).expect("slurm.conf");
        cluster.start_munge();
        let conf = cluster.conf().display().to_string();
        cluster.daemon("slurmctld", &["slurmctld", "-D", "-f", &conf]);
        for node in NODES {
            cluster.daemon(node, &["slurmd", "-D", "-f", &conf, "-N", node]);
        }
        cluster.wait("both nodes are idle", || cluster.slurm("sinfo", &["-h", "-o", "%T %D"]).trim() == "idle 2");
        Some(cluster)
    }

    pub(crate) fn conf(&self) -> PathBuf {
        self.folder.join("slurm.conf")
    }

    fn settings(&self) -> String {
        let dir = self.folder.display();
        let [control, n0, n1] = free_ports();
        format!(
            "ClusterName=test\n\
             SlurmctldHost=localhost(127.0.0.1)\n\
             SlurmUser=root\n\
             SlurmdUser=root\n\
             AuthType=auth/munge\n\
             CryptoType=crypto/munge\n\
             # Tasks of a lost node wait until the credentials of their first start have expired; here not for two minutes.\n\
             AuthInfo=socket={dir}/run/munge.socket,cred_expire=5\n\
             SlurmctldPort={control}\n\
             StateSaveLocation={dir}/state\n\
             SlurmdSpoolDir={dir}/spool.%n\n\
             SlurmctldPidFile={dir}/run/slurmctld.pid\n\
             SlurmdPidFile={dir}/run/slurmd.%n.pid\n\
             SlurmctldLogFile={dir}/log/slurmctld.log\n\
             SlurmdLogFile={dir}/log/slurmd.%n.log\n\
             ProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\n\
             JobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\n\
             SchedulerType=sched/backfill\n\
             SchedulerParameters=sched_interval=1,bf_interval=1\n\
             SelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\n\
             MpiDefault=none\n\
             ReturnToService=2\n\
             KillWait=2\n\
             SlurmdParameters=config_overrides\n\
             NodeName=n0 NodeHostname=localhost NodeAddr=127.0.0.1 Port={n0} CPUs=2 RealMemory=1000 State=UNKNOWN\n\
             NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={n1} CPUs=2 RealMemory=1000 State=UNKNOWN\n\
             PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO\n"
        )
    }

    fn start_munge(&mut self) {
        let path = |name: &str| self.folder.join(name).display().to_string();
        let key = self.folder.join("munge.key");
        fs::write(&key, [7; 128]).expect("a key");
        fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a private key");
        let options = [
            format!("--key-file={}", path("munge.key")),
            format!("--socket={}", path("run/munge.socket")),
            format!("--pid-file={}", path("run/munged.pid")),
            format!("--log-file={}", path("log/munged.log")),
            format!("--seed-file={}", path("run/munged.seed")),
        ];
        let command = ["munged", "--foreground", "--force"].into_iter().chain(options.iter().map(String::as_str));
        self.daemon("munged", &command.collect::<Vec<_>>());
        let socket = self.folder.join("run/munge.socket");
        self.wait("munge answers", || socket.exists());
    }

    /// Starts a daemon that ends with this process, however that ends.
    fn daemon(&mut self, name: &str, command: &[&str]) {
        let log = fs::File::create(self.folder.join(format!("log/{name}.out"))).expect("a log");
        let child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "--"])
            .args(command)
            .env("SLURM_CONF", self.conf())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn()
            .expect("a daemon");
        self.daemons.push((name.to_owned(), child));
    }

    /// What a program of Slurm prints.
    pub(crate) fn slurm(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("SLURM_CONF", self.conf()).output();
        let Output { stdout, .. } = output.expect("a program of Slurm");
        String::from_utf8_lossy(&stdout).into_owned()
    }

    /// A node loses its power: its daemon, its steps and their tasks are gone at once, and none of them says goodbye.
    pub(crate) fn kill_node(&mut self, node: &str) {
        self.kill_daemon(node);
        self.kill_sessions(&format!("SLURMD_NODENAME={node}"));
        // The administrator notices sooner than Slurm's own five minutes.
        self.slurm("scontrol", &["update", &format!("nodename={node}"), "state=down", "reason=power"]);
    }

    fn kill_daemon(&mut self, name: &str) {
        for (_, daemon) in self.daemons.iter_mut().filter(|(daemon, _)| daemon == name) {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }

    /// Kills what this cluster runs with this in its environment. A step has a session of its own, together with its task; only
    /// the task knows its node.
    fn kill_sessions(&self, variable: &str) {
        let conf = format!("SLURM_CONF={}", self.conf().display());
        let found = processes().filter(|&process| has(process, &conf) && has(process, variable));
        let sessions: BTreeSet<String> = found.filter_map(session).collect();
        let mut doomed: Vec<u32> = processes().collect();
        doomed.retain(|&process| session(process).is_some_and(|found| sessions.contains(&found)));
        // Steps are older than their tasks: they go first, and cannot tell anybody.
        doomed.sort_unstable();
        let doomed = doomed.iter().map(u32::to_string);
        let _ = Command::new("kill").arg("-KILL").args(doomed).stderr(Stdio::null()).status();
    }

    /// Waits until something holds.
    pub(crate) fn wait(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !holds() {
            assert!(Instant::now() < deadline, "never: {what}\n{}", self.words());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What the daemons said last, for whoever looks for a fault.
    pub(crate) fn words(&self) -> String {
        let log = fs::read_to_string(self.folder.join("log/slurmctld.log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let names: Vec<String> = self.daemons.iter().rev().map(|(name, _)| name.clone()).collect();
        names.iter().for_each(|name| self.kill_daemon(name));
        self.kill_sessions(&format!("SLURM_CONF={}", self.conf().display()));
    }
}

fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

/// Ports that nobody uses at the moment, so that clusters of two tests do not meet.
fn free_ports() -> [u16; 3] {
    let sockets = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    sockets.map(|socket| socket.local_addr().expect("an address").port())
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Whether a process has this in its environment.
fn has(process: u32, variable: &str) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|entry| entry == variable.as_bytes())
}

/// The session of a process; `None` if it is this one's own.
fn session(process: u32) -> Option<String> {
    let session = |process: &str| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name in parentheses may contain anything; the session is the fourth field behind it.
        stat.rsplit_once(')')?.1.split_whitespace().nth(3).map(str::to_owned)
    };
    session(&process.to_string()).filter(|found| session("self").as_ref() != Some(found))
}
